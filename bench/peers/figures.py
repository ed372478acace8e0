"""What is reported of one setting of an engine."""

import numpy as np

from page_set import TOP_K


def of_searches(milliseconds, found, truth):
    """Latency and recall of queries asked one by one: the time of each, the pages that it found, the best pages."""
    recall = np.mean([len({int(page) for page in pages[:TOP_K]} & set(best.tolist())) / TOP_K
                      for pages, best in zip(found, truth)])
    return {"recall10": float(recall), "mean_ms": float(np.mean(milliseconds)),
            "p50_ms": float(np.percentile(milliseconds, 50)), "p99_ms": float(np.percentile(milliseconds, 99)),
            "queries": len(milliseconds)}
