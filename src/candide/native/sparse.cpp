// Rows stored as CSR.
#include "bindings.hpp"
#include "sparse.hpp"

namespace candide {

// The three arrays of a CSR matrix, held together.
struct CsrArguments {
    Buffer data, indices, indptr;

    CsrArguments(nb::handle d, nb::handle i, nb::handle p)
        : data(d, "data", 1), indices(i, "indices", 1), indptr(p, "indptr", 1) {}
    Csr csr(Index columns) const {
        const Matrix starts = indptr.integers();
        if ((starts.type != Type::i32 && starts.type != Type::i64) || starts.rows == 0)
            throw std::invalid_argument("indptr must hold the rows' beginnings and the end, as int32 or int64");
        return {data.matrix(), indices.integers(), starts, starts.rows - 1, columns};
    }
};

static nb::object py_csr_sums(nb::handle data, nb::handle indices, nb::handle indptr, nb::handle y, Index n_classes,
                              Index n_columns, nb::handle w) {
    const CsrArguments arrays(data, indices, indptr);
    const Csr csr = arrays.csr(n_columns);
    const RowArguments arguments(y, csr.rows, n_classes, w);
    nb::object sums = zeros<double>(n_classes, n_columns);
    const Buffer result(sums, "sums", 2, true);
    double* into = result.doubles();
    Released _;
    csr_sums(csr, arguments.rows, into);
    return sums;
}

static void py_add_csr(nb::handle data, nb::handle indices, nb::handle indptr, nb::handle weights, nb::handle out,
                       nb::handle start) {
    const CsrArguments arrays(data, indices, indptr);
    const Buffer by_column(weights, "weights", 2), scores(out, "out", 2, true);
    const Csr csr = arrays.csr(by_column.rows());
    scores.expect(csr.rows, by_column.columns());
    const Optional beginning(start, "start", by_column.columns());
    const double* from = by_column.doubles();
    double* into = scores.doubles();
    const Beginning first{beginning.doubles()};
    Released _;
    add_csr(csr, from, by_column.columns(), into, first);
}

void bind_sparse(nb::module_& m) {
    using namespace nb::literals;
    m.def("csr_sums", &py_csr_sums, "data"_a, "indices"_a, "indptr"_a, "y"_a, "n_classes"_a, "n_columns"_a,
          "w"_a = nb::none());
    m.def("add_csr", &py_add_csr, "data"_a, "indices"_a, "indptr"_a, "weights"_a, "out"_a, "start"_a = nb::none());
}

}  // namespace candide
