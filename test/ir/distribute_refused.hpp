// A class of C++ for distribute_refused.gdsl.
struct Half {
  int value = 0;
};
inline Half half_of(int x) { return {x / 2}; }
inline int value_of(Half half) { return half.value; }
