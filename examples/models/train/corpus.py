"""The corpus: stories told in parallel, encoded, and packed into rows of token ids; no training here."""

import argparse
import multiprocessing
import os
import pathlib
import sys

import numpy
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "stories"))
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import tell  # noqa: E402

BOS, EOS = 1, 2
TRAIN_SEED, HELD_OUT_SEED = 1, 2
CHUNK = 1000


def tell_chunk(job: tuple[int, int, int]) -> list[str]:
    """The stories [first, first + count) of one seed."""
    seed, first, count = job
    return [tell.story(seed, index) for index in range(first, first + count)]


def encode_chunk(job: tuple[int, int, int, str]) -> list[numpy.ndarray]:
    """The ids of a chunk of stories; each begins with BOS and ends with EOS."""
    seed, first, count, tokenizer_path = job
    tokenizer = Tokenizer.from_file(tokenizer_path)
    texts = tell_chunk((seed, first, count))
    return [numpy.array(e.ids + [EOS], dtype=numpy.int16) for e in tokenizer.encode_batch(texts)]


def jobs(seed: int, count: int) -> list[tuple[int, int, int]]:
    """The chunks which cover ``count`` stories."""
    return [(seed, first, min(CHUNK, count - first)) for first in range(0, count, CHUNK)]


def texts(seed: int, count: int) -> list[str]:
    """``count`` stories of a seed, told on every core."""
    with multiprocessing.Pool() as pool:
        return [text for chunk in pool.imap(tell_chunk, jobs(seed, count)) for text in chunk]


def encoded(seed: int, count: int, tokenizer_path: str) -> list[numpy.ndarray]:
    """The id arrays of ``count`` stories of a seed, made on every core."""
    work = [(*job, tokenizer_path) for job in jobs(seed, count)]
    with multiprocessing.Pool() as pool:
        return [ids for chunk in pool.imap(encode_chunk, work) for ids in chunk]


def packed(stories: list[numpy.ndarray], length: int) -> numpy.ndarray:
    """Rows of ``length + 1`` ids; each row starts with a story, and the last story of a row is cut off.

    Padding does not occur: a row is closed as soon as it is full, and the cut story opens the next row again.
    """
    rows: list[numpy.ndarray] = []
    row: list[numpy.ndarray] = []
    filled = 0
    for ids in stories:
        row.append(ids)
        filled += len(ids)
        if filled > length:
            rows.append(numpy.concatenate(row)[: length + 1])
            row, filled = [ids], len(ids)
    return numpy.stack(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Print stories of the corpus.")
    parser.add_argument("--seed", type=int, default=TRAIN_SEED)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=5)
    args = parser.parse_args()
    print("\n\n---\n\n".join(tell_chunk((args.seed, args.first, args.count))))
