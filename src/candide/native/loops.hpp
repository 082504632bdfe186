// The hot loops over raw memory. loops.cpp is compiled once for the baseline and once for AVX2 with FMA; loops() is
// the better of those that this machine can run.
#pragma once

#include "tiles.hpp"

namespace candide {

// The sums of one class over the rows of a tile: rows of whole vectors.
struct ShiftedSums {
    double *n, *s1, *s2;
    const double* shift;
};

// log N(x; μ, v) = peak - (x - μ)² half_precision, by column and class (D, K); `peaks` is the sum over columns.
struct NormalTables {
    const double *mean, *half_precision, *peak, *peaks;
};

// Moments of every class (K, step), rows of whole vectors, and those of all the other classes together.
struct LeftOutMoments {
    const double *n, *inverse_n, *mean, *m2, *others_n, *others_mean, *others_m2;
    const double* least_variance;  // of any class, by column; below zero where a class has none
    double floor, constant;        // shares of the whole column's variance and of its squared mean
};

// What is left of a tile of columns without each cell's own row: rows of whole vectors.
struct LeftOutTile {
    double* plain;            // the cells that change nothing for other classes; NaN for the others
    double *mean, *variance;  // of the whole column; a variance of NaN: the cell says nothing
};

// Moments by column and class (D, step), rows of whole vectors: n, mean, m2 / n.
struct ClassMoments {
    const double *n, *mean, *variance;
    Index step;
};

// Cuts of one column, and infinities behind them. `start` (or null) says where the cuts of each bucket begin;
// `together` (or 0) is a multiple of four that no bucket holds more of.
struct CutTable {
    const double* cut;
    const std::int32_t* start;
    Index n;
    double low, scale, last;
    int steps;
    Index together;
};

// Cells of one binade that have places: those whose leading bits, all but `dropped`, are low .. low + width - 1.
struct Window {
    std::uint64_t low = 0;
    std::uint32_t start = 0, width = 0;
    int dropped = 0;
};

// Documents with their evidence for each class (K, step), n of them in whole vectors of eight, and what is found of each.
struct JudgedDocuments {
    Index n, n_classes, step;
    double level, b, g, least_variance;  // the pace is exp(level - b log L - g log σ)
    const double *log_length, *log_prior, *bias;  // (step), (K, step), (K)
    double *evidence, *p;  // (K, step)
    double *mean, *variance, *log_variance, *speed, *log_sum;  // (step): the last of the exponentials of the scores
};

// The slopes (width) of the scores of a document's last classes, beside the first: views and evidence go in. The first `size`
// turn the pace, too. Those of the classes that are told go out, side by side: less their mean, by roots, and added across the
// biases; or, of two classes, that of the second as it is.
struct CurvedDocument {
    Index n_classes, size, width;
    const std::int32_t* told;  // classes in order
    Index n_told;
    double speed, weight;
    const double *evidence, *share, *away, *root;  // (K): E, P, how the pace turns with E, and the root of weight · P
    double *slopes, *lean, *across;                // (K - 1, width) and (width) to work with; (K, width) to add to
    double* rows;                                  // (told, width)
    double* slope(Index c) const { return slopes + (c - 1) * width; }
};

// Ranks that are counted in windows at a time.
inline constexpr Index ranks_together = 256;

// Stored cells of sparse rows: those of row r are begin[r] .. begin[r + 1] - 1.
struct SparseTile {
    const double* value;
    const std::int32_t* column;
    const std::int64_t* begin;
};

// Entries (rows, columns) of a table, below zero where a cell says nothing; columns first .. last - 1 are looked up.
struct ModelCells {
    const std::int32_t* entries;
    Index columns, first, last;
};

// Cells of one column: shares (step,) and counts (K, step), rows of whole vectors with zeros behind the cells.
struct SmoothTable {
    Index cells, classes, step;
    const double *shares, *counts;
};

// By class: n_c + 1, the pseudo-count of a cell, the weight of all cells, and what a count is worth, in the class of a
// row left out and elsewhere.
struct LeftOutWeights {
    const double *prior, *pull, *mass, *per_count, *own_per_count;
};

// A word of a document, with an entry n for every class and readable beyond them in whole vectors of eight: its share, what
// is summed of it without the document, what the document has of n in its own class, or what is left there, everything over
// that sum, what all classes but the largest have, where there is one beside which they are little, its band; and the word
// before it in its group, or -1.
struct LiftedWord {
    const float* n;
    float x, all, own, share, elsewhere;
    Index band, before;
};

// Words of one band, from the last one on; and whether they are alike, of one share x, so that Σ x log(factor) is x times
// the logarithm of the factors' product.
struct LiftedGroup {
    Index band, last;
    bool alike;
};

// What the words of a document are measured by, class by class: (1 - λ) / λ over the sum of all words, the same of all other
// classes, and 1 where the document is left out; zeros behind them up to `step`; the share of the collection in the lift of
// other classes; how many factors a product has at the most, so that single precision holds it; and the class beside which all
// others are little, or -1.
struct LiftedClasses {
    static constexpr Index most_factors = 8;
    const float *of_class, *rest, *mine;
    Index step;
    float others;
    Index factors;
    std::int64_t largest;
    bool exact;  // whether words tell what is left of n in the document's own class, and not what the document has of it
};

// A word of a document with an entry for every class: its share, where its gains begin, before its curves, and its band.
struct MistakenWord {
    float x;
    std::int64_t from;
    Index band;
};

// What a first model got wrong of a document by class, and then the curvatures; zeros behind them for whole vectors.
struct DocumentMistakes {
    const float* both;
    Index n_classes;
};

// Counts (K, columns) to be softened: by one pseudo-count for all columns, with the logarithms of the smallest whole
// counts and it, or by one each (`of_small` is null); and the logarithms of what they are then shares of, by class (a
// step of 0) or by column and class.
struct SoftenedTable {
    static constexpr Index small = 64;
    const double* counts;
    Index classes, columns;
    const double *pseudo, *of_small, *log_total;
    Index total_step;
};

struct Loops {
    // a tile of rows `step` apart, as doubles; contiguous, as codes
    void (*read_doubles)(const Matrix&, Index first, Index rows, double* tile, Index step);
    void (*read_codes)(const Matrix&, Index first, Index rows, std::int32_t* tile);

    // whether any cell is below low or above high; whether none is NaN
    bool (*any_outside)(Tile, Index rows, Index columns, double low, double high);
    bool (*all_known)(Tile, Index rows, Index columns);

    // sums over these rows; `complete` says that no cell is NaN
    void (*add_shifted)(Tile, const std::int32_t* rows, Index n, const double* weight, bool complete, Index columns,
                        const ShiftedSums&);
    void (*add_known)(Tile, const std::int32_t* rows, Index n, const double* weight, Index columns, double* sums);
    void (*take_logs)(Tile, Index rows, Index columns, double* logs, Index step);

    // ranks of one column, that of missing where x is NaN or the row does not count; whether the others are finite
    bool (*to_ranks)(Tile, const std::int32_t* of_class, Index rows, std::uint64_t* ranks);
    // those ranks counted at their places, in counts (places, step) of rows that do not count and of each class: at the
    // first one where a rank has none, or where `at_place` (or null) holds another rank; how many have none, and which
    Index (*count_places)(const std::uint64_t* ranks, const std::int32_t* of_class, Index rows, const Window* of_binade,
                          const std::uint64_t* at_place, Index step, std::uint32_t* counts, std::int32_t* left);
    void (*to_bins)(Tile, Index rows, Index columns, const CutTable*, std::int32_t* codes);
    // codes + base where 0 <= code < size, else -1; and with code -1 for missing, whether all were below size
    void (*to_table_rows)(std::int32_t* codes, Index rows, Index columns, const std::int64_t* offsets);
    bool (*to_slots)(std::int32_t* codes, Index rows, Index columns, const std::int32_t* slots);

    // the rows at each entry first · step + last of a table, of no more entries and rows than two bytes can tell
    void (*count_together)(const std::uint16_t* first, std::uint16_t step, const std::uint16_t* last, Index rows,
                           Index entries, std::uint16_t* counts);
    // the rows of each class, from -1 on, at the slots of one column, added to counts of so many slots a class
    void (*count_slots)(const std::int32_t* of_class, Index width, const std::int32_t* slots, Index rows,
                        std::uint32_t* counts);

    // scores (rows, K) plus log-likelihoods
    void (*add_rows)(const std::int32_t* table_rows, Index rows, Index columns, const double* table, Index n_classes,
                     double* out);
    void (*add_normal)(Tile, Index rows, Index columns, const NormalTables&, Index n_classes, double* out);
    // sums over a row's cells in its own class: of the table; and of the normal log-density without the row itself
    void (*sum_own)(const std::int32_t* table_rows, Index rows, Index columns, const double* table, Index n_classes,
                    const std::int32_t* of_class, double* sums);
    // (whether `plain` leaves cells out that say something)
    bool (*sum_own_normal)(Tile, Index rows, Index columns, const std::int32_t* of_class, const double* weight,
                           const LeftOutMoments&, const LeftOutTile&, double* sums);
    // their log-densities in all classes
    void (*add_floored)(Tile, Index rows, Index columns, const LeftOutTile&, const ClassMoments&, double floor,
                        Index n_classes, double* out);
    void (*add_sparse)(const SparseTile&, Index rows, const double* weights, Index n_classes, double* out);
    // scores of some rows (n, step) plus a model's table (entries, step) at some of their cells; and of their exponentials,
    // to the sums (all rows, 2, step): the largest x so far, its top, and Σ exp(x - top)
    void (*add_model)(const ModelCells&, const std::int32_t* rows, Index n, const double* table, double* out, Index step);
    void (*add_exponentials)(const double* x, const std::int32_t* rows, Index n, Index step, double* sums);
    // minus each row's log-sum-exp; the number of rows that are all -inf, which stay; `work` holds four rows
    Index (*normalize)(double* scores, Index rows, Index n_classes, double tie, double* work);
    // The first class of each row within the share `tie` of its largest score; `lost` where all are -inf.
    void (*argmax)(const double* scores, Index rows, Index n_classes, double tie, std::int64_t lost, std::int64_t* best);

    // log theta of columns from .. to - 1, as (D, K): the classes of a column side by side
    void (*log_softened)(const SoftenedTable&, Index from, Index to, double* out);

    // exp(scale x), n in whole vectors; kernels (M, step) of heights, and the counts spread by them (K, step); Σ log P(y | k)
    void (*exponentials)(const double* x, Index n, double scale, double* out);
    void (*spread_counts)(const SmoothTable&, const double* heights, double* kernel, double* smoothed);
    double (*left_out_score)(const SmoothTable&, const double* smoothed, const double* stays, const LeftOutWeights&);

    // scores of rows of one class to probabilities, and Σ w log P(own class); rows added to the entries of a table
    double (*to_probabilities)(double* scores, Index rows, Index n_classes, Index own, const double* weight,
                               double* work);
    void (*scatter_rows)(const std::int32_t* table_rows, Index rows, Index columns, const double* from, Index n_classes,
                         double* sums);
    // of two classes: how much more the second has, to its probability
    double (*to_chances)(double* scores, Index rows, Index own, const double* weight);
    // in single precision, rows of one number or of whole vectors of eight: entries summed by row, rows added to entries
    void (*sum_singles)(const std::int32_t* table_rows, Index rows, Index columns, const float* table, Index step,
                        float* out);
    void (*scatter_singles)(const std::int32_t* table_rows, Index rows, Index columns, const float* from, Index step,
                            float* sums);

    // Σ a b, and b += scale a
    double (*dot)(const double* a, const double* b, Index n);
    void (*add_scaled)(double scale, const double* a, Index n, double* b);
    // of lists of vectors: all Σ a_i b_j, n in whole vectors of eight; and b += Σ scale_i a_i
    void (*products)(const float* const* a, Index n_a, const float* const* b, Index n_b, Index n, double* out);
    void (*add_combined)(const double* scale, const float* const* a, Index n_a, Index n, double* b);

    // rows of `size` numbers: the sum of each, weighed; the sums over rows, each by its share; those of rows that lie here
    // and there, of a size that is not known before; and their squares, above the diagonal of (width, width)
    void (*weigh_views)(const float* row, Index rows, Index size, const double* weight, double* out);
    void (*add_views)(const float* row, Index rows, Index size, const double* share, double* sums);
    void (*add_listed)(const double* const* row, const double* x, Index n, Index size, double* out);
    void (*add_squares)(const double* row, Index rows, Index width, double* sums);
    // documents by their evidence: P of every class; and, of P - 1[y = c], the slopes of the loss
    void (*judge)(const JudgedDocuments&);
    void (*slope_evidence)(const JudgedDocuments&, const double* weight, double* of_pace, double* of_bias);
    void (*curve_document)(const CurvedDocument&);
    // what words with an entry for every class say by lift, added to two views (bands, step): steps of whole vectors of eight,
    // by groups of words that are alike; or, of two classes, of two; the first view alone, of which the second of two gets what
    // it has more; logarithms of n numbers of single precision, in whole vectors of eight
    void (*add_lifts)(const LiftedWord*, const LiftedGroup*, Index groups, const LiftedClasses&, float* first, float* second);
    void (*add_lifts_of_two)(const LiftedWord*, Index words, const LiftedClasses&, float* first, float* second);
    void (*tell_two_apart)(const LiftedWord*, Index words, const LiftedClasses&, float* first);
    void (*take_single_logs)(float* numbers, Index n);
    // what is summed of mistakes; and what they say, less the document's own, into views (bands, step)
    void (*add_mistakes)(const MistakenWord*, Index words, const DocumentMistakes&, float* sums);
    void (*add_mistake_views)(const MistakenWord*, Index words, const DocumentMistakes&, const float* sums, float ridge,
                              Index step, float* views);
};

const Loops& loops();

}  // namespace candide
