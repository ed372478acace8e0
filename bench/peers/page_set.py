"""Pages and queries that look like those of late interaction models, and what is true of them.

Pages have 128 unit vectors of 128 dims around some 20 of 4,096 topics; queries have 32 vectors that
disturb those of a known page. The truth is MaxSim in floats.
"""

import numpy as np

VECTORS, DIMS, QUERY_VECTORS, TOP_K = 128, 128, 32, 10
_TOPICS, _TOPICS_A_PAGE = 4096, 20
_PAGE_NOISE, _QUERY_NOISE = 0.75, 1.0
_CHUNK = 1000


def unit(vectors):
    """Each vector with length 1."""
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def _noise(rng, shape, size):
    return unit(rng.standard_normal(shape, dtype=np.float32)) * size


def make(folder, pages, queries, seed=7):
    """Writes docs.npy [pages, 128, 128] and queries.npy [queries, 32, 128]; the same for a seed."""
    rng = np.random.default_rng(seed)
    topics = unit(rng.standard_normal((_TOPICS, DIMS), dtype=np.float32))
    # Some topics are on many pages: popularity falls with the root of the rank.
    popularity = np.arange(1, _TOPICS + 1) ** -0.5
    popularity = np.cumsum(popularity / popularity.sum())
    docs = np.lib.format.open_memmap(folder / "docs.npy", "w+", np.float32, (pages, VECTORS, DIMS))
    for start in range(0, pages, _CHUNK):
        count = min(_CHUNK, pages - start)
        on_page = np.searchsorted(popularity, rng.random((count, _TOPICS_A_PAGE)))
        chosen = np.take_along_axis(on_page, rng.integers(0, _TOPICS_A_PAGE, (count, VECTORS)), 1)
        noise = _noise(rng, (count, VECTORS, DIMS), _PAGE_NOISE)
        docs[start:start + count] = unit(topics[chosen] + noise)
    docs.flush()
    source = rng.choice(pages, queries, replace=False)
    vector = rng.integers(0, VECTORS, (queries, QUERY_VECTORS))
    noise = _noise(rng, (queries, QUERY_VECTORS, DIMS), _QUERY_NOISE)
    asked = unit(np.asarray(docs)[source[:, None], vector] + noise)
    np.save(folder / "queries.npy", asked.astype(np.float32))


def max_sim(query, pages):
    """MaxSim of a query [m, dims] and each of some pages [n, vectors, dims]."""
    similar = query @ pages.reshape(-1, DIMS).T
    return similar.reshape(len(query), len(pages), VECTORS).max(2).sum(0)


def find_truth(folder, chunk=50):
    """Writes truth.npy [queries, 10]: the pages with the largest MaxSim, best first."""
    docs = np.load(folder / "docs.npy", mmap_mode="r")
    queries = np.load(folder / "queries.npy")
    flat = queries.reshape(-1, DIMS)
    scores = np.empty((len(queries), len(docs)), np.float32)
    for start in range(0, len(docs), chunk):
        block = np.asarray(docs[start:start + chunk])
        similar = (flat @ block.reshape(-1, DIMS).T).reshape(len(queries), QUERY_VECTORS, len(block), VECTORS)
        scores[:, start:start + len(block)] = similar.max(3).sum(1)
    np.save(folder / "truth.npy", np.argsort(-scores, axis=1, kind="stable")[:, :TOP_K])
