// The hot loops for one instruction set, CANDIDE_ISA. Nothing here but raw memory: a library function compiled for
// AVX2 could be the one that the linker keeps for all.
#include "loops.hpp"

#include "loops_averages.hpp"
#include "loops_descent.hpp"
#include "loops_left_out.hpp"
#include "loops_moments.hpp"
#include "loops_posteriors.hpp"
#include "loops_scores.hpp"
#include "loops_single.hpp"
#include "loops_smooth.hpp"
#include "loops_softened.hpp"
#include "loops_tiles.hpp"
#include "loops_together.hpp"
#include "loops_tuning.hpp"
#include "loops_views.hpp"
#include "loops_windows.hpp"
#include "loops_words.hpp"

namespace candide::CANDIDE_ISA {

extern const Loops table;
const Loops table = {
    .read_doubles = read_doubles,
    .read_codes = read_codes,
    .any_outside = any_outside,
    .all_known = all_known,
    .add_shifted = add_shifted,
    .add_known = add_known,
    .take_logs = take_logs,
    .to_ranks = to_ranks,
    .count_places = count_places,
    .to_bins = to_bins,
    .to_table_rows = to_table_rows,
    .to_slots = to_slots,
    .count_together = count_together,
    .count_slots = count_slots,
    .add_rows = add_rows,
    .add_normal = add_normal,
    .sum_own = sum_own,
    .sum_own_normal = sum_own_normal,
    .add_floored = add_floored,
    .add_sparse = add_sparse,
    .add_model = add_model,
    .add_exponentials = add_exponentials,
    .normalize = normalize,
    .argmax = argmax,
    .log_softened = log_softened,
    .exponentials = exponentials,
    .spread_counts = spread_counts,
    .left_out_score = left_out_score,
    .to_probabilities = to_probabilities,
    .scatter_rows = scatter_rows,
    .to_chances = to_chances,
    .sum_singles = sum_singles,
    .scatter_singles = scatter_singles,
    .dot = dot,
    .add_scaled = add_scaled,
    .products = products,
    .add_combined = add_combined,
    .weigh_views = weigh_views,
    .add_views = add_views,
    .add_listed = add_listed,
    .add_squares = add_squares,
    .judge = judge,
    .slope_evidence = slope_evidence,
    .curve_document = curve_document,
    .add_lifts = add_lifts,
    .add_lifts_of_two = add_lifts_of_two,
    .tell_two_apart = tell_two_apart,
    .take_single_logs = take_single_logs,
    .add_mistakes = add_mistakes,
    .add_mistake_views = add_mistake_views,
};

}  // namespace candide::CANDIDE_ISA
