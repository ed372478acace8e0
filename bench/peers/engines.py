"""The engines that are compared: one generator each.

`engine("build", place)` writes its index below `place.folder`. `engine("query", place)` yields pairs
(setting, search), where search(query) gives the pages, best first; Sightline, which measures
itself, yields (setting, figures).
"""

import json
import subprocess
import time

import numpy as np

from page_set import DIMS, TOP_K, VECTORS, max_sim


def _best(scores):
    return np.argsort(-scores, kind="stable")[:TOP_K]


def numpy_exact(phase, place):
    """Everything in floats, by BLAS."""
    if phase == "build":
        return
    docs = np.array(place.docs())

    def search(query):
        parts = [max_sim(query, docs[start:start + 500]) for start in range(0, len(docs), 500)]
        return _best(np.concatenate(parts))

    yield "f32, all pages", search


def maxsim_cpu(phase, place):
    """Everything in floats, by a library for it."""
    if phase == "build":
        return
    import maxsim_cpu as library
    docs = np.array(place.docs())
    yield "f32, all pages", lambda query: _best(library.maxsim_scores(query, docs))


def numkong(phase, place):
    """Everything, packed; approximate inside."""
    if phase == "build":
        return
    import numkong as library
    begun = time.perf_counter()
    packed = [library.maxsim_pack(np.ascontiguousarray(page), "f32") for page in place.docs()]
    place.facts.update(build_s=time.perf_counter() - begun, index_bytes=sum(page.nbytes for page in packed))

    def search(query):
        packed_query = library.maxsim_pack(np.ascontiguousarray(query), "f32")
        distances = (library.maxsim_packed(packed_query, page) for page in packed)
        return _best(-np.fromiter(distances, np.float32, len(packed)))

    yield "maxsim_packed f32, all pages", search


def _candidates(ids, similarities, pages, keep):
    """Pages by the sum over query vectors of how much their best vector beats the worst that was found."""
    score = np.zeros(pages, np.float32)
    for found, similar in zip(ids, similarities):
        valid = found >= 0
        if valid.any():
            page, first = np.unique(found[valid] // VECTORS, return_index=True)  # rows come best first
            score[page] += similar[valid][first] - similar[valid].min() + 1e-3
    keep = min(keep, int((score > 0).sum()))
    return np.argpartition(-score, keep - 1)[:keep]


def faiss_ivf(phase, place):
    """Vectors in inverted lists as 64 × 4 bits, then the exact rerank of pages in floats."""
    import faiss
    faiss.omp_set_num_threads(1)
    file = str(place.folder / "ivf.faiss")
    docs = place.docs()
    if phase == "build":
        vectors = docs.reshape(-1, DIMS)
        lists = 1024 if len(docs) <= 2000 else 4096
        index = faiss.index_factory(DIMS, f"IVF{lists},PQ64x4fs", faiss.METRIC_INNER_PRODUCT)
        index.cp.max_points_per_centroid = 64
        rows = np.random.default_rng(0).choice(len(vectors), min(len(vectors), lists * 64), replace=False)
        index.train(np.asarray(vectors[np.sort(rows)]))
        for start in range(0, len(vectors), 128000):
            index.add(np.ascontiguousarray(vectors[start:start + 128000]))
        faiss.write_index(index, file)
        return
    index = faiss.read_index(file)
    for probes, neighbours, keep in ((4, 128, 50), (8, 256, 100), (8, 512, 200), (16, 1024, 400), (24, 1536, 600),
                                     (32, 2048, 800)):
        def search(query, probes=probes, neighbours=neighbours, keep=keep):
            index.nprobe = probes
            similarities, ids = index.search(query, neighbours)
            pages = np.sort(_candidates(ids, similarities, len(docs), keep))
            return pages[np.argsort(-max_sim(query, np.asarray(docs[pages])))[:TOP_K]]
        yield f"{probes} lists, {neighbours} vectors, {keep} pages exact", search


def qdrant_edge(phase, place):
    """Its multi-vector space, every page compared in f16."""
    import qdrant_edge as library
    space = library.EdgeVectorParams(
        size=DIMS, distance=library.Distance.Dot, datatype=library.VectorStorageDatatype.Float16,
        multivector_config=library.MultiVectorConfig(library.MultiVectorComparator.MaxSim),
        hnsw_config=library.HnswIndexConfig(m=0, ef_construct=64, full_scan_threshold=10))
    path = str(place.folder / "shard")
    if phase == "build":
        (place.folder / "shard").mkdir()
        shard = library.EdgeShard.create(path, library.EdgeConfig(vectors={"page": space}, max_search_threads=1))
        docs = place.docs()
        for start in range(0, len(docs), 50):
            points = [library.Point(start + i, {"page": page.tolist()}) for i, page in enumerate(docs[start:start + 50])]
            shard.update(library.UpdateOperation.upsert_points(points))
        shard.optimize()
        shard.flush()
        shard.close()
        return
    shard = library.EdgeShard.load(path)

    def search(query):
        nearest = library.Query.Nearest(query.tolist(), using="page")
        request = library.QueryRequest(limit=TOP_K, query=nearest, params=library.SearchParams(exact=True))
        return [point.id for point in shard.query(request)]

    yield "f16, all pages", search


def sightline(phase, place):
    """Ours, by `sightline bench index` on the same files; a process for each way, so that memory is its own."""
    files = {name: str(place.data / f"{name}.npy") for name in ("docs", "queries", "truth")}
    command = [place.sightline, "bench", "index", "--vectors", files["docs"], "--queries", files["queries"],
               "--truth", files["truth"], "--index", str(place.folder / "pages.seg"), "--threads", "1", "--json"]
    for path in ("lists",) if phase == "build" else ("lists", "flat", "exact"):
        done = subprocess.run(command + ["--path", path], check=True, capture_output=True, text=True)
        report = json.loads(done.stdout)
        place.facts.update(version=report["kernels"])
        for line in report["results"]:
            yield line["search"], {"recall10": line["recall"], "mean_ms": 1000 / line["qps"], "p50_ms": line["p50_ms"],
                                   "p99_ms": line["p99_ms"], "queries": report["queries"],
                                   "peak_bytes": line["resident_bytes"],
                                   "hot_bytes_a_vector": line["hot_bytes_per_vector"]}


#: Name → (engine, package whose version is reported).
ENGINES = {"sightline": (sightline, None), "numpy": (numpy_exact, "numpy"), "maxsim-cpu": (maxsim_cpu, "maxsim-cpu"),
           "numkong": (numkong, "numkong"), "faiss": (faiss_ivf, "faiss-cpu"),
           "qdrant-edge": (qdrant_edge, "qdrant-edge-py")}
