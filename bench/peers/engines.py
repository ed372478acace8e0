"""The engines that are compared: one generator each.

`engine("build", place)` writes its index below `place.folder`. `engine("query", place)` yields pairs
(setting, search), where search(query) gives the pages, best first; Sightline, which measures
itself, yields (setting, figures).
"""

import json
import os
import pathlib
import subprocess
import time

import numpy as np

from figures import of_searches
from page_set import DIMS, TOP_K, VECTORS, max_sim

_HERE = pathlib.Path(__file__).resolve().parent
#: Of next-plaid and fast-plaid: lists that a vector probes, and how many of the pages found there are ranked by their
#: residuals. Both have 8 and 4,096 by default.
_PLAID_SETTINGS = ((4, 256), (8, 1024), (8, 4096), (32, 8192))


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


def lancedb(phase, place):
    """Its multi-vector column: IVF_PQ with 16 bytes a vector, then MaxSim of the floats of what that finds."""
    import lancedb as library
    import pyarrow as arrow
    database, docs = library.connect(str(place.folder / "lance")), place.docs()
    if phase == "build":
        schema = arrow.schema([("page", arrow.int64()), ("vector", arrow.list_(arrow.list_(arrow.float32(), DIMS)))])

        def batches():
            for start in range(0, len(docs), 500):
                block = np.ascontiguousarray(docs[start:start + 500])
                vectors = arrow.FixedSizeListArray.from_arrays(arrow.array(block.reshape(-1)), DIMS)
                begins = arrow.array(np.arange(0, (len(block) + 1) * VECTORS, VECTORS, dtype=np.int32))
                pages = arrow.array(np.arange(start, start + len(block)))
                yield arrow.record_batch([pages, arrow.ListArray.from_arrays(begins, vectors)], schema=schema)

        table = database.create_table("pages", arrow.RecordBatchReader.from_batches(schema, batches()))
        # Its advice: partitions near the root of the number of vectors, 8 or 16 dims a sub-vector.
        partitions = 2 ** round(np.log2(np.sqrt(len(docs) * VECTORS)))
        table.create_index(metric="cosine", vector_column_name="vector", index_type="IVF_PQ",
                           num_partitions=partitions, num_sub_vectors=DIMS // 8)
        return
    table = database.open_table("pages")

    def ask(query, narrow):
        found = narrow(table.search(query, vector_column_name="vector")).limit(TOP_K).select(["page"])
        return found.to_arrow()["page"].to_numpy()

    for probes, refine in ((8, 5), (20, 10), (20, 50), (50, 50)):
        def narrow(search, probes=probes, refine=refine):
            return search.nprobes(probes).refine_factor(refine)
        yield f"IVF_PQ, {probes} lists, refine {refine}", lambda query, narrow=narrow: ask(query, narrow)
    if len(docs) <= 2000:  # seconds a query, and it grows with the pages
        yield "f32, all pages", lambda query: ask(query, lambda search: search.bypass_vector_index())


def next_plaid(phase, place):
    """A Rust crate: centroids choose pages, residuals of 4 bits rank them; its own program measures."""
    target = _HERE.parents[1] / "build/next_plaid"
    program, index = str(target / "release/next_plaid_peer"), str(place.folder / "index")
    if phase == "build":
        compiler = {**os.environ, "CARGO_TARGET_DIR": str(target), "RUSTFLAGS": "-C target-cpu=native"}
        subprocess.run(["cargo", "build", "--release", "--locked", "--quiet"], cwd=_HERE / "next_plaid", env=compiler,
                       check=True)
        begun = time.perf_counter()
        subprocess.run([program, "build", str(place.data / "docs.npy"), index, "4"], check=True, capture_output=True)
        place.facts.update(build_s=time.perf_counter() - begun)
        return
    place.facts.update(version="1.8.5")
    truth = np.load(place.data / "truth.npy")
    for probes, full in _PLAID_SETTINGS:
        command = [program, "query", str(place.data / "queries.npy"), index, str(place.max_seconds), str(probes), str(full)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        yield _plaid_setting(probes, full), of_searches([float(row[0]) for row in rows], [row[1:] for row in rows], truth)


def _plaid_setting(probes, full):
    return f"4 bits, {probes} lists, {full} pages"


def _torch():
    """torch with one thread."""
    import torch
    torch.set_num_threads(1)
    return torch


def fast_plaid(phase, place):
    """Centroids choose pages, residuals of 4 bits rank them; on the processor."""
    torch = _torch()
    from fast_plaid import search as library
    index = library.FastPlaid(index=str(place.folder / "index"), device="cpu")
    if phase == "build":
        index.create(documents_embeddings=list(torch.from_numpy(np.array(place.docs()))), nbits=4)
        return
    for probes, full in _PLAID_SETTINGS:
        def search(query, probes=probes, full=full):
            found = index.search(torch.from_numpy(query)[None], top_k=TOP_K, n_ivf_probe=probes, n_full_scores=full,
                                 show_progress=False)
            return [page for page, _ in found[0]]
        yield _plaid_setting(probes, full), search


def xtr_warp(phase, place):
    """Lists near each vector of a query, scores of what they lack estimated; on the processor."""
    torch = _torch()
    from xtr_warp import search as library
    index = library.XTRWarp(str(place.folder / "index"))
    if phase == "build":
        index.create(list(torch.from_numpy(np.array(place.docs()))), device="cpu", nbits=4, show_progress=False)
        return
    index.load(device="cpu")
    for probes, bound in ((16, 64), (32, 128), (64, 256), (128, 512)):
        def search(query, probes=probes, bound=bound):
            found = index.search(torch.from_numpy(query)[None], top_k=TOP_K, num_threads=1, nprobe=probes, bound=bound,
                                 max_candidates=4096, show_progress=False)
            return [page for page, _ in found[0]]
        yield f"4 bits, {probes} lists, bound {bound}", search


def sightline(phase, place):
    """Ours, by `sightline bench index` on the same files; a process for each way, so that memory is its own."""
    files = {name: str(place.data / f"{name}.npy") for name in ("docs", "queries", "truth")}
    command = [place.sightline, "bench", "index", "--vectors", files["docs"], "--queries", files["queries"],
               "--truth", files["truth"], "--index", str(place.folder / "pages.seg"), "--threads", "1", "--json"]
    if phase == "build":
        least = ["--path", "lists", "--candidates", "10", "--gathered", "10", "--probes", "1"]
        subprocess.run(command + least, check=True, capture_output=True)
        return
    for path in ("lists", "flat", "exact"):
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
           "qdrant-edge": (qdrant_edge, "qdrant-edge-py"), "lancedb": (lancedb, "lancedb"),
           "next-plaid": (next_plaid, None), "fast-plaid": (fast_plaid, "fast-plaid"),
           "xtr-warp": (xtr_warp, "xtr-warp-rs")}
