//! next-plaid on the pages and queries of bench/peers.
//!
//!   next_plaid_peer build DOCS.npy INDEX BITS
//!   next_plaid_peer query QUERIES.npy INDEX SECONDS PROBES FULL
//!
//! DOCS.npy is [pages, vectors, dims], QUERIES.npy [queries, vectors, dims]. PROBES centroids a vector choose
//! pages, FULL of them are ranked by their residuals. `query` prints a line for each query that it asked within
//! SECONDS: its milliseconds and the ten best pages, with tabs between them.

use std::env;
use std::error::Error;
use std::time::Instant;

use ndarray::{Array2, Array3, Axis};
use next_plaid::{IndexConfig, MmapIndex, SearchParameters};

const TOP_K: usize = 10;
const WARM_UP: usize = 2;
const AT_LEAST: usize = 10;

type Outcome = Result<(), Box<dyn Error>>;

fn matrices(path: &str) -> Result<Vec<Array2<f32>>, Box<dyn Error>> {
    let all: Array3<f32> = ndarray_npy::read_npy(path)?;
    Ok(all.axis_iter(Axis(0)).map(|one| one.to_owned()).collect())
}

fn build(docs: &str, index: &str, bits: &str) -> Outcome {
    let config = IndexConfig { nbits: bits.parse()?, ..Default::default() };
    MmapIndex::create_with_kmeans(&matrices(docs)?, index, &config)?;
    Ok(())
}

fn ask(index: &MmapIndex, queries: &[Array2<f32>], seconds: f64, parameters: &SearchParameters) -> Outcome {
    for query in queries.iter().take(WARM_UP) {
        index.search(query, parameters, None)?;
    }
    let begun = Instant::now();
    for (asked, query) in queries.iter().enumerate() {
        if begun.elapsed().as_secs_f64() > seconds && asked >= AT_LEAST {
            break;
        }
        let start = Instant::now();
        let found = index.search(query, parameters, None)?;
        let milliseconds = 1000.0 * start.elapsed().as_secs_f64();
        let pages: Vec<String> = found.passage_ids.iter().map(|page| page.to_string()).collect();
        println!("{milliseconds}\t{}", pages.join("\t"));
    }
    Ok(())
}

fn main() -> Outcome {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["build", docs, index, bits] => build(docs, index, bits),
        ["query", file, folder, seconds, probes, full] => {
            let parameters = SearchParameters {
                top_k: TOP_K,
                n_ivf_probe: probes.parse()?,
                n_full_scores: full.parse()?,
                ..Default::default()
            };
            ask(&MmapIndex::load(folder)?, &matrices(file)?, seconds.parse()?, &parameters)
        }
        _ => Err("see the head of main.rs".into()),
    }
}
