# data.table sorts, groups and joins, in this process and in children that the package parallel forks.
suppressMessages({library(data.table); library(parallel)})
setDTthreads(as.integer(Sys.getenv("OMP_NUM_THREADS")))
set.seed(1)
n <- 600000L
rows <- data.table(group = sample.int(20000L, n, TRUE), word = sample(sprintf("w%04d", 1:5000), n, TRUE), x = runif(n))
summary <- function(part) {
  grouped <- part[, .(total = sum(x), most = max(x), n = .N), by = group]
  setorder(grouped, group)
  sorted <- part[order(word, -x)]
  joined <- grouped[data.table(group = 1:100), on = "group"]
  c(sprintf("%a", sum(grouped$total)), sprintf("%a", sorted$x[c(1, 1000, nrow(sorted))]), sorted$word[1000], sum(joined$n, na.rm = TRUE))
}
print(summary(rows))
print(mclapply(1:2, function(i) summary(rows[group %% 2L == i - 1L]), mc.cores = 2))
fwrite(rows[order(group, word, x)][1:200000], "rows.csv")
print(dim(fread("rows.csv")))
