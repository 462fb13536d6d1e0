int harness_main(int argc, char **argv);

int main(int argc, char **argv)
{
  return harness_main(argc, argv);
}
