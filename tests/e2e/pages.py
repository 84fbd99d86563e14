"""The states of which the page is tried and shown, as dumps."""

import json
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOW = "2026-12-01T05:13:18Z"
DRIVER = "gpu.nvidia.com"


def meta(name, namespace=None):
    out = {"name": name, "uid": f"uid-{namespace}-{name}", "creationTimestamp": NOW}
    if namespace is not None:
        out["namespace"] = namespace
    return out


def node(name):
    return {"apiVersion": "v1", "kind": "Node", "metadata": meta(name), "status": {"allocatable": {"cpu": "8"}}}


def slice_of(name, devices):
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": meta(name + "-gpu"),
            "spec": {"driver": DRIVER, "nodeName": name, "devices": [{"name": d} for d in devices],
                     "pool": {"name": name, "generation": 1, "resourceSliceCount": 1}}}


def pod(name, namespace, on, claims):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta(name, namespace),
            "spec": {"schedulerName": "kai-scheduler", "nodeName": on,
                     "containers": [{"name": "main", "image": "example.com/app",
                                     "resources": {"claims": [{"name": f"c{i}"} for i in range(len(claims))]}}],
                     "resourceClaims": [{"name": f"c{i}", "resourceClaimName": c} for i, c in enumerate(claims)]},
            "status": {"phase": "Running"}}


def claim(name, namespace, on, devices, pods, admin=False):
    exactly = {"deviceClassName": DRIVER, "allocationMode": "ExactCount", "count": len(devices)}
    if admin:
        exactly = {"deviceClassName": DRIVER, "allocationMode": "All", "adminAccess": True}
    results = [{"request": "gpu", "driver": DRIVER, "pool": on, "device": d} for d in devices]
    for r in results:
        if admin:
            r["adminAccess"] = True
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": meta(name, namespace),
            "spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}},
            "status": {"allocation": {"devices": {"results": results}},
                       "reservedFor": [{"resource": "pods", "name": p, "uid": f"uid-{namespace}-{p}"} for p in pods]}}


def scheduler():
    out = pod("kai-scheduler-default-7d775b5ffc-fzj48", "kai-scheduler", "control-1", [])
    out["metadata"]["labels"] = {"app": "scheduler"}
    out["spec"]["containers"][0]["image"] = "ghcr.io/kai-scheduler/kai-scheduler/scheduler:v0.17.0"
    return out


def classes():
    return [{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": meta(DRIVER), "spec": {}}]


def devices(n):
    return [f"gpu-{i}" for i in range(n)]


def cluster(more):
    return [scheduler(), node("control-1")] + classes() + more


def machine(name, gpus, jobs, namespace="train"):
    """`jobs`: lists of devices and how many pods share them."""
    out = [node(name), slice_of(name, devices(gpus))]
    for i, (which, sharers) in enumerate(jobs):
        pods = [f"{name}-job-{i}-{k}" for k in range(sharers)]
        c = f"{name}-claim-{i}"
        out.append(claim(c, namespace, name, [f"gpu-{d}" for d in which], pods))
        out += [pod(p, namespace, name, [c]) for p in pods]
    return out


def monitor():
    out = machine("titan-1", 8, [([i], 1) for i in range(8)], "inference")
    out.append(claim("all-gpus", "monitoring", "titan-1", devices(8), ["gpu-exporter-x7k2p"], admin=True))
    out.append(pod("gpu-exporter-x7k2p", "monitoring", "titan-1", ["all-gpus"]))
    return cluster(out)


def rack():
    jobs = [([4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3], 2 if i < 2 else 1) for i in range(18)]
    return cluster(machine("nvl72-rack-3", 72, jobs))


def fleet(n=5000, bad=0.1):
    out = []
    step = int(1 / bad)
    for i in range(n):
        jobs = [([0], 3), ([1, 2, 3, 4, 5, 6, 7], 1)] if i % step == 0 else [([d], 1) for d in range(i % 9)]
        out += machine(f"gpu-{i:04}", 8, jobs)
    return cluster(out)


def crowd():
    return cluster(machine("atlas", 2, [([0], 40)]))


def hostile(name):
    out = [node(name), slice_of(name, ["d" + name])]
    out.append(claim(name, "ns" + name, name, ["d" + name], ["p" + name, "q" + name]))
    out += [pod(p + name, "ns" + name, name, [name]) for p in "pq"]
    return out


def as_list(objects):
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})


def story():
    with open(os.path.join(ROOT, "testdata/dumps/story-stock/full.json"), encoding="utf-8") as f:
        return f.read()


def dumps(nodes=5000):
    """Name of a state to its dump; `incomplete` is cut off in the middle."""
    return {
        "story": story(),
        "monitor": as_list(monitor()),
        "rack": as_list(rack()),
        "fleet": as_list(fleet(nodes)),
        "clean": as_list(cluster(machine("atlas", 8, [([0, 1], 1), ([2], 1)]))),
        "incomplete": story()[:-9000],
    }
