// Copies that kernels update, and that are sent to their owners.
#ifndef GCOMPILE_MPI_TOUCHED_H
#define GCOMPILE_MPI_TOUCHED_H

#include <gcompile/core/property.h>
#include <gcompile/mpi/mail.h>
#include <gcompile/mpi/marked_list.h>

#include <tuple>
#include <vector>

namespace gc::mpi {

/// Which copies a kernel has updated: of vertices or of arcs, whose numbers are of type Id. A rank owns a block of
/// them.
template <class Id> class Touched {
public:
  /// Of `all` numbers this rank owns `count`, from `first` on.
  Touched(Id first, Id count, Id all) : first_(first), count_(count), list_(0, all) {}

  /// In a kernel: where a thread notes what it has updated.
  template <class Share> class Writer {
  public:
    explicit Writer(Touched &touched) : first_(touched.first_), count_(touched.count_), list_(touched.list_) {}
    void touch(Id id) {
      if (id - first_ >= count_)
        list_.add(id);
    }

  private:
    const Id first_, count_;
    typename MarkedList<Id>::template Writer<Share> list_;
  };
  /// The same in a kernel of one thread.
  void touch(Id id) {
    if (id - first_ >= count_)
      list_.add(id);
  }

  /// Sends the values of each, ascending, to owner(id); calls sent(id) then. None is touched any more. All ranks.
  template <class Owner, class Sent, class... T>
  void send(Mail &mail, const Owner &owner, const Sent &sent, const Property<T> &...states) {
    list_.move_ascending_to(sent_);
    for (const Id id : sent_) {
      const int rank = owner(id);
      mail.put(rank, id);
      (mail.put(rank, states[id]), ...);
      sent(id);
      list_.unmark(id);
    }
    sent_.clear();
    mail.exchange();
  }
  /// The owner calls apply(id, values...) for each that has come, in the order of the ranks that sent them.
  template <class... T, class Apply> static void receive(const Mail &mail, const Apply &apply) {
    for (int r = 0; r < World::get().size(); ++r)
      for (const char *at = mail.from(r).data(), *end = at + mail.from(r).size(); at < end;) {
        const Id id = Mail::take<Id>(at);
        const std::tuple<T...> values{Mail::take<T>(at)...}; // braces: in this order
        std::apply([&](const auto &...each) { apply(id, each...); }, values);
      }
  }

private:
  Id first_, count_;
  MarkedList<Id> list_;
  std::vector<Id> sent_;
};

} // namespace gc::mpi

#endif
