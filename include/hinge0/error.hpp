#pragma once
/// What the library throws. A numerical outcome is never an exception: it is a Status.
/// Every message reads "<what>: <where>", one line, so that a program can print it as it is:
/// control characters, which file names and labels may hold, are written as \xNN.
#include <stdexcept>
#include <string>

namespace hinge0 {

class Error : public std::runtime_error {
public:
    explicit Error(const std::string &what, const std::string &where = {});
};

/// A value outside its range, or data that cannot be trained on. Names the value and the range.
class InvalidInput : public Error {
    using Error::Error;
};

/// A file that cannot be read, written or understood. `where` is "file" or "file:line".
class FileError : public Error {
    using Error::Error;
};

/// An operation that failed in arithmetic, such as factoring a matrix that is not positive
/// definite.
class NumericalError : public Error {
    using Error::Error;
};

/// Memory that would not fit, refused before it is taken. Says need, have and what to do instead.
class OutOfMemory : public Error {
    using Error::Error;
};

/// The caller asked to stop before there was anything to return.
class Interrupted : public Error {
    using Error::Error;
};

} // namespace hinge0
