// Stands for NVML where there is no GPU: each look at the counter of the one device finds 2.5 joules more.
#include <cstring>

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device) {
  static int the_one;
  *device = &the_one;
  return std::strcmp(id, "0000:17:00.0") == 0 ? 0 : 6; // NVML_ERROR_NOT_FOUND
}
int nvmlDeviceGetTotalEnergyConsumption(void *, unsigned long long *millijoules) {
  static unsigned long long so_far = 1000000;
  *millijoules = so_far += 2500;
  return 0;
}
}
