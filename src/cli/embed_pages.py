#!/usr/bin/env python3
"""Writes the pages of docs/rules as C++: embed_pages.py OUT DEPFILE FOLDER"""

import os
import re
import sys

out, depfile, folder = sys.argv[1:]
pages = [os.path.join(folder, name) for name in sorted(os.listdir(folder))
         if re.fullmatch(r"[A-Z]{3}[0-9]{3}\.md", name)]
with open(depfile, "w", encoding="utf-8") as f:
    # The folder too: a page that is new.
    names = [name.replace(" ", "\\ ") for name in [folder, *pages]]
    f.write(f"{out}: {' '.join(names)}\n")
rows = []
for page in pages:
    with open(page, encoding="utf-8") as f:
        text = f.read()
    assert ')page"' not in text, page
    rule = os.path.splitext(os.path.basename(page))[0]
    rows.append(f'    PageRow{{"{rule}", R"page({text})page"}},\n')
with open(out, "w", encoding="utf-8") as f:
    f.write('#include <array>\n\n#include "cli/pages.hpp"\n\nnamespace draudit {\nnamespace {\n\n'
            "struct PageRow {\n  std::string_view rule;\n  std::string_view text;\n};\n"
            f"constexpr std::array<PageRow, {len(rows)}> kPages = {{\n{''.join(rows)}}};\n\n"
            "}  // namespace\n\n"
            "std::string_view rule_page(std::string_view id) {\n"
            "  for (const PageRow& page : kPages) {\n    if (page.rule == id) return page.text;\n  }\n"
            "  return {};\n}\n\n}  // namespace draudit\n")
