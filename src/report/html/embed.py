"""Makes a header of files: embed.py OUT NAME=FILE…; each becomes a constant `kNAME`."""
import sys

out = ["#pragma once\nnamespace draudit::html {"]
for asked in sys.argv[2:]:
    name, path = asked.split("=", 1)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if ')asset"' in text:
        sys.exit(f'{path}: holds )asset"')
    out.append(f'inline constexpr char k{name}[] = R"asset({text})asset";')
out.append("}  // namespace draudit::html\n")
with open(sys.argv[1], "w", encoding="utf-8") as f:
    f.write("\n".join(out))
