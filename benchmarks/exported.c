/* Time of one decision value of an exported model of two classes, as bench_one_row's of Predictor.
 *   exported ROWS REPEATS
 * exported.h in the include path is the model; ROWS holds doubles. Prints one JSON object. */
#define _POSIX_C_SOURCE 200809L
#include "exported.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All values of a file, as the model takes them. */
static exported_real *read_rows(const char *file, long *rows) {
    FILE *in = fopen(file, "rb");
    if (in == NULL || fseek(in, 0, SEEK_END) != 0) return NULL;
    const long count = ftell(in) / (long)sizeof(double);
    rewind(in);
    exported_real *values = malloc((size_t)count * sizeof(exported_real));
    for (long i = 0; values != NULL && i < count; ++i) {
        double value = 0;
        if (fread(&value, sizeof value, 1, in) != 1) return NULL;
        values[i] = (exported_real)value;
    }
    fclose(in);
    *rows = count / exported_features;
    return values;
}

int main(int count, char **arguments) {
    long rows = 0;
    exported_real *values = count == 3 ? read_rows(arguments[1], &rows) : NULL;
    const int repeats = count == 3 ? atoi(arguments[2]) : 0;
    double *seconds = malloc((size_t)(repeats + 1) * sizeof(double)), sum = 0;
    if (values == NULL || seconds == NULL || repeats < 1) return 1;
    for (int r = 0; r <= repeats; ++r) { /* the first one warms up */
        sum = 0;
        const double begin = now();
        for (long i = 0; i < rows; ++i) {
            exported_real h[exported_pairs];
            exported_decide(values + i * exported_features, h);
            sum += (double)h[0];
        }
        seconds[r] = (now() - begin) / (double)rows;
    }
    qsort(seconds + 1, (size_t)repeats, sizeof(double), ascending);
    printf("{\"rows\": %ld, \"seconds\": %.9g, \"sum\": %.17g}\n", rows,
           seconds[1 + repeats / 2], sum);
    return 0;
}
