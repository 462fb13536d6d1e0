% Linear algebra with the BLAS of the system; each number to the last bit.
rand("twister", 1:625);
a = rand(500);
b = rand(500);
s = a(1:200, 1:200);
found = {a * b, a \ b, eig(s + s'), svd(s)};
for i = 1:numel(found)
  printf("%s\n", hash("sha256", num2hex(found{i}(:))'(:)'));
end
