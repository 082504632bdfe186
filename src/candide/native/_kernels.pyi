"""Types of the compiled kernels; reference says what they compute."""

from collections.abc import Callable, Sequence
from typing import Any

from numpy import bool_, int64, uint8
from numpy.typing import NDArray

from candide.native.agreed import CellKind, LevelColumn, ParabolaColumn, StepColumn
from candide.native.reference.calibration import Views
from candide.native.reference.json_row import JsonColumn
from candide.native.reference.mappings import CountedColumn
from candide.native.reference.rows import Array, Cell, Codes, Floats, Ints, MatrixOrColumns, Singles
from candide.native.reference.text import TokenArrays
from candide.native.reference.tuning import TuningEntries, TuningRows
from candide.native.reference.values import Bytes
from candide.native.reference.views import Sums, ViewRows

EXACT: int
PER_BINADE: int
TOTAL: int

def level_counts(
    codes: MatrixOrColumns, offsets: Ints, y: Array, n_classes: int, w: Floats | None = None
) -> tuple[Array, Array]: ...
def joint_counts(
    codes: MatrixOrColumns, sizes: Ints, y: Array, n_classes: int, w: Floats | None = None, placed: bool = True
) -> tuple[Codes, Array, Ints | None]: ...
def joint_places(cells: Ints | Codes, values: Ints, offsets: Ints, sizes: Ints) -> Array: ...
def moments(
    x: MatrixOrColumns, y: Array, n_classes: int, w: Floats | None = None, log: bool = False
) -> tuple[Array, ...]: ...
def dense_sums(x: Array, y: Array, n_classes: int, w: Floats | None = None) -> Floats: ...
def move_columns(table: Array, index: Ints | Codes, size: int) -> Array: ...
def bin_codes(x: Array, cuts: Floats, offsets: Ints) -> Codes: ...
def bin_counts(
    x: Array, cuts: Floats, offsets: Ints, y: Array, n_classes: int, w: Floats | None = None
) -> tuple[Array, Array]: ...
def count_values(
    x: MatrixOrColumns,
    y: Array,
    n_classes: int,
    w: Floats | None = None,
    known: Sequence[tuple[Floats, Bytes] | None] | None = None,
) -> list[tuple[Floats, Array, Bytes]]: ...
def lattice(values: Floats, dropped: Bytes) -> tuple[Floats, Bytes, Ints]: ...
def lattice_codes(x: Array, cells: Floats, dropped: Bytes) -> Codes: ...
def partition(
    columns: Sequence[tuple[Floats, Array]], n_classes: int, most: int, cuts: Sequence[Floats | None] | None = None
) -> tuple[Floats, Ints, Floats, Floats, Floats]: ...
def entropy_cuts(counts: Floats, once: bool = False) -> Ints: ...
def value_moments(columns: Sequence[tuple[Floats, Array]], n_classes: int) -> tuple[Floats, Floats, Floats]: ...
def open_quote(block: NDArray[uint8], separator: bytes) -> int: ...
def count_byte(block: NDArray[uint8], byte: bytes) -> int: ...
def object_end(block: NDArray[uint8]) -> int: ...
def record_end(block: NDArray[uint8], separator: bytes) -> int: ...
def smooth(counts: Floats, offsets: Ints, shares: Floats, widths: Floats) -> tuple[Floats, Floats, Floats]: ...
def smooth_scores(
    counts: Floats,
    offsets: Ints,
    shares: Floats,
    class_counts: Floats,
    widest: Floats,
    halvings: int,
    strengths: Floats,
) -> tuple[Floats, Floats]: ...
def take_columns(x: Array, columns: Ints, low: Floats | None = None, high: Floats | None = None) -> Floats: ...
def places(values: Floats, among: Floats) -> Ints: ...
def add_gather(
    codes: MatrixOrColumns, offsets: Ints, table: Floats, out: Floats, start: Floats | None = None
) -> None: ...
def add_bin_gather(x: Array, cuts: Floats, cut_offsets: Ints, table: Floats, out: Floats) -> None: ...
def add_normal(x: Array, mean: Floats, var: Floats, out: Floats, start: Floats | None = None) -> None: ...
def add_normal_at(x: Floats, groups: Ints, mean: Floats, var: Floats, out: Floats) -> None: ...
def add_gather_left_out(codes: Array, offsets: Ints, table: Floats, own: Floats, y: Array, out: Floats) -> None: ...
def add_normal_left_out(
    x: Array,
    n: Floats,
    mean: Floats,
    m2: Floats,
    y: Array,
    w: Floats | None,
    floor: float,
    constant: float,
    out: Floats,
) -> None: ...
def row_log_posterior(
    row: dict[Any, Any],
    levels: list[LevelColumn],
    steps: list[StepColumn],
    parabolas: list[ParabolaColumn],
    table: Floats,
    curves: Floats,
    more: list[Floats],
    tie: float = 0.0,
) -> tuple[list[float], list[Any], int] | None: ...
def count_cells(rows: list[dict[Any, Any]], columns: list[CountedColumn], counts: Ints) -> None: ...
def json_row_answer(
    body: bytes,
    columns: list[JsonColumn],
    index: dict[bytes, int],
    table: Floats,
    curves: Floats,
    counts: Ints,
    labels: list[bytes],
    texts: list[bytes],
    tie: float = 0.0,
) -> tuple[bytes, int] | None: ...
def log_normalize(scores: Floats, tie: float = 0.0) -> NDArray[bool_] | None: ...
def log_softened(counts: Floats, pseudo: Floats, log_total: Floats) -> Floats: ...
def argmax(scores: Floats, tie: float = 0.0, lost: int = 0) -> Ints: ...
def csr_sums(
    data: Array,
    indices: Array,
    indptr: Array,
    y: Array,
    n_classes: int,
    n_columns: int,
    w: Floats | None = None,
) -> Floats: ...
def add_csr(
    data: Array, indices: Array, indptr: Array, weights: Floats, out: Floats, start: Floats | None = None
) -> None: ...
def tuple_counts(codes: Array, sizes: Ints, y: Array, n_classes: int, order: int, w: Floats | None = None) -> Array: ...
def add_averaged(
    cells: Array,
    sizes: Ints,
    order: int,
    counts: Array,
    pseudo: Floats,
    mass: Floats,
    first: Ints,
    parents: Floats,
    out: Floats,
) -> Ints: ...
def distinct(x: Array, limit: int) -> Floats | None: ...
def label_codes(y: Array) -> tuple[Codes, Ints]: ...
def fixed_codes(cells: Array) -> tuple[Codes, Ints]: ...
def texts_among(cells: list[Any]) -> tuple[int, int, int]: ...
def text_codes(cells: Array | list[Any]) -> tuple[Codes, list[str]] | None: ...
def arrow_codes(buffers: list[Any], first: int, rows: int, width: int) -> tuple[Codes, list[str]]: ...
def csv_cells(
    block: NDArray[uint8], separator: bytes, rows: int, outs: Sequence[Array | None], present: NDArray[uint8]
) -> list[tuple[int, bytes, bytes]] | None: ...
def json_cells(
    lines: NDArray[uint8], keys: list[bytes], coded: bool, outs: Sequence[Array], present: NDArray[uint8]
) -> tuple[int, list[tuple[CellKind, int, bytes, bytes]]] | None: ...
def page_headers(chunk: NDArray[uint8]) -> NDArray[int64]: ...
def decode_pages(
    pages: list[Any],
    headers: NDArray[int64],
    first: int,
    optional: bool,
    dictionary: Array,
    out: Array,
    present: NDArray[uint8],
    hole: int = 0,
) -> int: ...
def filled(values: Array, bits: NDArray[uint8], first: int) -> Array: ...
def check_finite(x: Array) -> Cell | None: ...
def set_threads(n: int) -> None: ...
def give_back() -> None: ...
def threads() -> int: ...
def useful_threads(cells: int) -> int: ...
def work_alone() -> None: ...
def after_fork() -> None: ...
def first_below(x: Array, bound: float, strict: bool) -> Cell | None: ...
def tokenize(documents: Any, table: Array, expansions: Array, least: int = 0, most: int = 0) -> TokenArrays: ...
def word_grams(ids: Codes, starts: Ints, data: Array, word_starts: Ints, least: int, most: int) -> TokenArrays: ...
def word_slots(data: Array, starts: Ints) -> Array: ...
def find_words(slots: Array, data: Array, starts: Ints, other_data: Array, other_starts: Ints) -> Codes: ...
def score_noting(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    slots: Array,
    classes: Codes,
    values: Floats,
    of_class: Floats | None,
    out: Floats,
    data: Array,
    starts: Ints,
) -> tuple[Ints, Array, Ints]: ...
def seek_words(data: Array, starts: Ints, other_data: Array, other_starts: Ints) -> Codes: ...
def unique_words(data: Array, starts: Ints) -> tuple[Array, Ints, Codes]: ...
def stem_words(
    data: Array, starts: Ints, functions: tuple[int, int, int, int], algorithm: str
) -> tuple[Array, Ints, Codes]: ...
def word_texts(data: Array, starts: Ints) -> list[str]: ...
def hash_words(data: Array, starts: Ints, buckets: int) -> Codes: ...
def bucket_slots(filled: Codes) -> Array: ...
def take_words(data: Array, starts: Ints, chosen: Ints) -> tuple[Array, Ints]: ...
def sort_words(data: Array, starts: Ints) -> Codes: ...
def bags(ids: Codes, starts: Ints, n_words: int) -> tuple[Ints, Codes, Codes]: ...
def add_parts(
    values: Floats, word_of: Ints, class_of: Codes, of_word: Floats | None, of_class: Floats | None
) -> None: ...
def by_word(
    at: Ints, counted: Ints | Floats, place: Codes, n_words: int, n_classes: int, factor: Floats | None = None
) -> tuple[Ints, Codes, Floats, Floats]: ...
def sum_by_class(
    at: Ints, counted: Ints | Floats, place: Codes, n_words: int, n_classes: int, factor: Floats | None = None
) -> Floats: ...
def word_shares(starts: Ints, times: Codes, units: float) -> Floats: ...
def word_sums(
    ids: Codes, starts: Ints, n_words: int, y: Ints, n_classes: int, w: Floats | None = None, units: float = 1.0
) -> tuple[Ints, Array, Array, Array]: ...
def count_words(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    y: Ints,
    n_classes: int,
    w: Floats | None = None,
    units: float = 1.0,
    buckets: int = 0,
    keep: bool = False,
) -> tuple[tuple[Ints, Array, Array, Array], Array, Ints, tuple[Ints, Codes, Codes] | None]: ...
def count_forms(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    become: Callable[[Array, Ints], tuple[Codes, int]],
    y: Ints,
    n_classes: int,
    w: Floats | None = None,
    units: float = 1.0,
    keep: bool = False,
) -> tuple[tuple[Ints, Array, Array, Array], tuple[Ints, Codes, Codes] | None]: ...
def read_words(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    place: Codes,
    units: float,
    slots: Array,
    data: Array | None,
    starts: Ints | None,
    buckets: int = 0,
) -> tuple[Ints, Codes, Floats]: ...
def add_words(starts: Ints, words: Codes, x: Floats, evidence: tuple[Array | None, ...], out: Floats) -> None: ...
def scored_slots(
    place: Codes,
    evidence: tuple[Array | None, ...],
    often: Floats | None = None,
    data: Array | None = None,
    starts: Ints | None = None,
) -> Array: ...
def score_words(
    documents: Any,
    table: Array,
    expansions: Array,
    least: int,
    most: int,
    slots: Array,
    units: float,
    classes: Codes,
    values: Floats,
    of_class: Floats | None,
    out: Floats,
    data: Array | None,
    starts: Ints | None,
    bucket_slots: Array | None = None,
    buckets: int = 0,
) -> Ints: ...
def known_without(rows: ViewRows, sums: Sums, w: Floats) -> tuple[Floats, Floats]: ...
def lift_evidence(
    rows: ViewRows,
    sums: Sums,
    lam: float,
    others: float,
    beta: Floats,
    y: Ints | None = None,
    w: Floats | None = None,
    grown: Floats | None = None,
) -> Floats: ...
def fill_entries(starts: Ints, classes: Codes, n_classes: int, few: int) -> tuple[Ints, Codes, Ints]: ...
def turn_entries(starts: Ints, classes: Codes, n_classes: int, called: Ints, stride: int) -> tuple[Ints, Ints]: ...
def weigh_entries(
    sums: Sums, lam: float, others: float, beta: Floats, gain: Floats | None, curve: Floats | None, ridge: float
) -> tuple[Floats, Floats, Floats]: ...
def lift_views(
    rows: ViewRows,
    sums: Sums,
    lam: float,
    others: float,
    y: Ints | None = None,
    w: Floats | None = None,
    grown: Floats | None = None,
    apart: bool = False,
) -> Singles: ...
def mistake_sums(
    rows: ViewRows, sums: Sums, residual: Floats, curvature: Floats, w: Floats | None = None
) -> Floats: ...
def mistake_views(
    rows: ViewRows,
    sums: Sums,
    gain: Floats,
    curve: Floats,
    ridge: float,
    residual: Floats | None = None,
    curvature: Floats | None = None,
    w: Floats | None = None,
    grown: Floats | None = None,
    apart: bool = False,
) -> Singles: ...
def paces(evidence: Floats, log_length: Floats, level: float, b: float, g: float) -> Floats: ...
def residuals(
    evidence: Floats,
    log_length: Floats,
    log_prior: Floats,
    y: Ints,
    w: Floats,
    level: float,
    b: float,
    g: float,
    bias: Floats,
) -> tuple[Floats, Floats]: ...
def weigh_views(views: Views, beta: Floats, documents: int, n_classes: int) -> Floats: ...
def calibration_loss(
    views: Views, log_length: Floats, log_prior: Floats, y: Ints, w: Floats, beta: Floats, pace: Floats, bias: Floats
) -> tuple[float, Floats, Floats, Floats]: ...
def calibration_curvature(
    views: Views, log_length: Floats, log_prior: Floats, y: Ints, w: Floats, beta: Floats, pace: Floats, bias: Floats
) -> tuple[Floats, Floats, Floats]: ...
def fit_views(
    views: Views,
    log_length: Floats,
    log_prior: Floats,
    y: Ints,
    w: Floats,
    usual: Floats,
    penalties: tuple[float, float, float, float, float],
    pace: tuple[float, float, float],
    begin: Floats,
    steps: int,
    tolerance: float,
) -> Floats: ...
def tuning_loss(
    codes: Array,
    offsets: Ints,
    others: Floats,
    own: Floats,
    starts: Ints,
    w: Floats,
    base: Floats | None = None,
    residual: Floats | None = None,
    curved: bool = False,
) -> tuple[float, Floats, Floats, Floats | None]: ...
def pair_gains(
    codes: Array, sizes: Ints, residual: Floats, curvature: Floats, ridge: float
) -> tuple[Floats, Floats]: ...
def mark_pairs(codes: Array, sizes: Ints, pairs: Ints) -> Array: ...
def join_pairs(codes: Array, sizes: Ints, pairs: Ints, places: Array, rows: Ints | None, out: Array) -> None: ...
def fit_temperature(prior: Floats, said: Floats, starts: Ints, w: Floats, steps: int, tolerance: float) -> Floats: ...
def weight_loss(rows: TuningRows, entries: TuningEntries, shifting: bool, p: Floats) -> tuple[float, Floats]: ...
def fit_weights(
    rows: TuningRows,
    entries: TuningEntries,
    shifting: bool,
    centre: Floats,
    penalty: Floats,
    begin: Floats,
    steps: int,
    tolerance: float,
    threads: int = 1 << 30,
    single: bool = False,
) -> Floats: ...
def mixed(text: bytes, primer: bytes, shapes: NDArray[int64], numbers: NDArray[int64]) -> bytes: ...
def unmixed(coded: bytes, primer: bytes, most: int) -> tuple[bytes, bytes, bytes]: ...
