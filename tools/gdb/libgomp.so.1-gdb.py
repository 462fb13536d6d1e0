"""Shows what the threads of ghc-openmp do, in gdb: `omp teams`, `omp threads`, `omp tasks`, `omp waits`, `omp bt`.

Works on a live process and on a core file.  It reads memory, registers and debug information only: it calls no
function of the process, and changes nothing in it.  If the process was stopped while it wrote something, that is
shown as far as it makes sense; every list has a bound.

Names of structures and functions are those of the runtime (runtime/state/, and WAITS below); test/gdb/check
checks them.  All is in one file, because gdb loads one file with a library."""

import re

import gdb
import gdb.unwinder

MOST = 10000         # elements of a list that are read
MOST_FRAMES = 300    # of a thread's stack
WAIT_FLAG, REGISTERING, ALL_FREE = 0x80000000, 1 << 30, 1 << 31
TASK_RANGE = 256

# Functions that wait, by file and name, and what they wait for.
WAITS = {
    ("barrier", "wait_for_phase"): "barrier", ("barrier", "finish_tasks_alone"): "tasks",
    ("join", "wait_for_members"): "join", ("join", "ghcomp_team_wait_for_helpers"): "helpers",
    ("worker", "wait_for_mail"): "region", ("lock", "ghcomp_lock_acquire_slow"): "lock",
    ("lock", "ghcomp_lock_nest25_acquire"): "lock", ("single", "wait_for_data"): "copyprivate",
    ("ordered", "wait_slowly"): "ordered", ("ordered", "wait_for_turn_slowly"): "ordered",
    ("across", "wait_slowly"): "across", ("turn_wait", "ghcomp_turns_wait"): "turn",
    ("task_wait", "ghcomp_task_wait"): "children", ("task_wait", "ghcomp_task_wait_for_fewer"): "fewer",
    ("task_wait", "ghcomp_task_wait_depend"): "depend", ("task_wait", "ghcomp_task_wait_event"): "event",
    ("taskgroup", "ghcomp_taskgroup_end"): "taskgroup", ("taskloop", "run_and_wait"): "taskgroup",
}
# Functions that call the program's code: their callers on the stack do not wait for the runtime.
BODIES = {("worker", "serve"), ("task", "run_body"), ("at_once", "ghcomp_at_once_run")}
TASK_BODIES = {("task", "run_body"), ("at_once", "ghcomp_at_once_run")}


class Problem(Exception):
    """A message to the user instead of an answer."""


# ------------------------------------------------------------------------------- reading memory

def number(value):
    return int(value)


def address_of(name):
    """The address of a symbol, with debug information or without; 0: there is none."""
    try:
        return number(gdb.parse_and_eval(f"(unsigned long)&{name}"))
    except gdb.error:
        return 0


class Library:
    """The runtime's types and variables, as its debug information names them."""

    def __init__(self):
        if gdb.selected_inferior().pid == 0 or not gdb.selected_inferior().threads():
            raise Problem("there is no process: `run` the program, `attach` to it, or open a core file")
        self.types = {}
        self.block_of("ghcomp_team_begin")
        self.team, self.thread = self.type("team", "ghcomp_team_begin"), self.type("thread", "ghcomp_team_begin")
        self.task = self.type("task", "ghcomp_task_run")

    def block_of(self, function):
        """The file that contains the function: its types and static variables."""
        symbol = gdb.lookup_global_symbol(function)
        if symbol is None or symbol.symtab is None:
            raise Problem(self.why_not())
        return symbol.symtab.static_block()

    @staticmethod
    def why_not():
        where = address_of("ghcomp_version") or address_of("ghcomp_team_begin")
        if not where:
            return "ghc-openmp's library is not in this process (`info sharedlibrary` shows what is)"
        path = gdb.solib_name(where) or "the program itself"
        return (f"{path} has the runtime without debug information: use the library that `make` builds or `make install`"
                " installs, install the package with its debug symbols, or build the Haskell package with --enable-debug-info=2")

    def type(self, name, function):
        if name not in self.types:
            self.types[name] = gdb.lookup_type("struct " + name, self.block_of(function))
        return self.types[name]

    def variable(self, name, function):
        """A static variable of the file that contains the function."""
        return gdb.lookup_symbol(name, self.block_of(function))[0].value()


def at(value, kind):
    """The target of a pointer, atomic or not; None for NULL."""
    where = number(value)
    return gdb.Value(where).cast(kind.pointer()).dereference() if where else None


def address(value):
    return number(value.address)


def symbol_name(where):
    """The name of the object at an address, or None."""
    try:
        found = re.match(r"(.+?)(?: \+ \d+)? in section ", gdb.execute(f"info symbol {where}", to_string=True))
    except gdb.error:
        return None
    return found[1] if found else None


def place(pc):
    sal = gdb.find_pc_line(pc)
    return f" ({sal.symtab.filename.split('/')[-1]}:{sal.line})" if sal.symtab else ""


def code_name(pc):
    """A function and where it begins in the source."""
    block = gdb.block_for_pc(pc)
    while block is not None and block.function is None:
        block = block.superblock
    name = block.function.print_name if block is not None else symbol_name(pc)
    return (name or hex(pc)) + place(pc)


# ------------------------------------------------------------------------------------- stacks

class Frame:
    """One call, read completely at once: gdb's own object is only valid while its thread is selected."""

    def __init__(self, frame):
        function, sal = frame.function(), frame.find_sal()
        self.name = (frame.name() or "??").split(".constprop")[0].split(".part")[0].split(".isra")[0]
        self.pc, self.path = frame.pc(), sal.symtab.filename if sal.symtab else ""
        self.line = sal.line if sal.symtab else 0
        found = re.search(r"(?:^|/)runtime/(?:\w+/){1,2}(\w+)\.[ch]$", function.symtab.filename if function else "")
        self.key = (found[1], self.name) if found else None  # None: not a function of the runtime
        self.values = self.read(frame) if found else {}

    @staticmethod
    def read(frame):
        values = {}
        for name in ("lock", "name", "task", "node", "value", "count", "slot"):
            try:
                value = frame.read_var(name)
                if not value.is_optimized_out:
                    values[name] = number(value)
            except (ValueError, gdb.error):
                pass
        return values

    def where(self):
        return f" ({self.path.split('/')[-1]}:{self.line})" if self.path else ""


def stack():
    """The calls of the selected thread, innermost first, as far as gdb can go."""
    frames, frame = [], gdb.newest_frame()
    while frame is not None and len(frames) < MOST_FRAMES:
        frames.append(Frame(frame))
        try:
            frame = frame.older()
        except gdb.error:
            break
    for frame, older in zip(frames, frames[1:]):
        if frame.name == "??" and haskell.back and older.pc == haskell.back:
            frame.name = "(Haskell code)"
    return frames


def futex_word(frames):
    """The address that the selected thread sleeps on, from a register that the system call does not change."""
    if frames and frames[0].name == "syscall" and gdb.newest_frame().architecture().name() == "i386:x86-64":
        return number(gdb.newest_frame().read_register("rdi")) & (2 ** 64 - 1)
    return 0


# ------------------------------------------------------------------------------------ threads

class Thread:
    """A thread of the process; `self.d` is the runtime's descriptor, or None if the runtime does not know the thread."""

    def __init__(self, thread):
        thread.switch()
        self.number, self.lwp, self.name = thread.num, thread.ptid[1] or thread.ptid[2], thread.name
        self.frames = stack()
        self.word = futex_word(self.frames)
        self.d = None
        self.what, self.at = self.find_wait()

    def find_wait(self):
        """What the thread waits for, and the index of the frame; (None, None): it does not wait."""
        begun = False
        for i, frame in enumerate(self.frames):
            if frame.key is None and begun:
                break
            begun = begun or frame.key is not None
            if frame.key in BODIES or frame.name.startswith("GOMP_parallel"):
                break
            if frame.key in WAITS:
                return WAITS[frame.key], i
        return None, None

    def is_idle(self):
        return self.what == "region"

    def take_name(self):
        """A core file contains no names of threads, but a worker's name follows from its number."""
        if self.name is None and self.d is not None and bool(self.d["is_worker"]):
            self.name = f"omp {number(self.d['number_in_pool'])}"

    def title(self):
        return f'thread {self.number} "{self.name}"' if self.name else f"thread {self.number}"

    def members(self):
        """The thread's places in teams, innermost first."""
        found, seen = [], set()
        member = None if self.d is None or self.is_idle() else self.d["member"]
        while member is not None and number(member) and number(member) not in seen and len(found) < MOST:
            seen.add(number(member))
            found.append(member.dereference())
            parent = found[-1]["team"]["parent"]
            member = parent if number(found[-1]["number"]) == 0 and number(parent) else None
        return found

    def tasks(self):
        """Explicit tasks whose bodies are on the stack, innermost first: the frame of the body, and the task's address or 0."""
        return [(self.frames[i - 1], frame.values.get("task", 0))
                for i, frame in enumerate(self.frames) if frame.key in TASK_BODIES and i > 0]


class State:
    """All threads of the process, and the teams that they are in."""

    def __init__(self):
        self.library = Library()
        self.threads = [Thread(t) for t in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num)]
        self.by_descriptor = {}
        self.match()
        self.teams = {}  # address -> number
        for thread in self.threads:
            for member in reversed(thread.members()):
                team = member["team"]
                if number(team["level"]) != 0 or number(team["size"]) > 1:
                    self.teams.setdefault(number(team), len(self.teams) + 1)

    def descriptors(self):
        d, seen = self.library.variable("watched", "ghcomp_stats_watch"), 0
        found, offset = [], next(f.bitpos // 8 for f in self.library.thread.fields() if f.name == "waiter")
        while number(d) and seen < MOST:
            found.append(at(number(d) - offset, self.library.thread))  # the counters are the first field of the waiter
            d, seen = found[-1]["waiter"]["counters"]["next"], seen + 1
        return found

    def match(self):
        """Finds descriptors by the system's thread numbers; if these differ (a process in a container), by the thread-local pointer."""
        known = {number(d["kernel_thread"]): d for d in self.descriptors() if number(d["kernel_thread"])}
        for thread in self.threads:
            thread.d = known.get(thread.lwp)
            if thread.d is not None:
                self.by_descriptor[address(thread.d)] = thread
                thread.take_name()
        if known and not self.by_descriptor:
            self.match_by_pointer()

    def match_by_pointer(self):
        for inferior_thread in gdb.selected_inferior().threads():
            inferior_thread.switch()
            thread = next(t for t in self.threads if t.number == inferior_thread.num)
            try:
                thread.d = at(gdb.parse_and_eval("ghcomp_self_pointer"), self.library.thread)
            except gdb.error:
                thread.d = None  # without libthread_db
            if thread.d is not None:
                self.by_descriptor[address(thread.d)] = thread

    def team(self, where):
        return gdb.Value(where).cast(self.library.team.pointer()).dereference()

    def team_title(self, where):
        team = self.team(where)
        if bool(team["detached"]):
            return f"team {self.teams[where]}: helpers of a Haskell loop"
        fn = number(team["fn"])
        return f"team {self.teams[where]}: {code_name(fn)}"

    def thread_of(self, member):
        return self.by_descriptor.get(number(member["thread"]))

    def team_members(self, where):
        """Each member, its thread, and whether the thread is inside the region."""
        team = self.team(where)
        for i in range(min(number(team["size"]), MOST)):
            member = team["members"][i]
            thread = self.thread_of(member)
            inside = thread is not None and any(address(m) == address(member) for m in thread.members())
            yield i, member, thread, inside

    def missing(self, where, what):
        """Members of a team that are in the region and do not wait in that way."""
        return [(i, t) for i, _, t, inside in self.team_members(where)
                if inside and not (t.what == what and address(t.members()[0]["team"].dereference()) == where)]


# --------------------------------------------------------------------------------------- tasks

class Tasks:
    """Deferred tasks: those that are ready, and those that wait for others."""

    def __init__(self, state):
        self.state, self.library = state, state.library
        self.running = {where: t for t in state.threads for _, where in t.tasks() if where}
        self.ready = [pair for where in state.teams for pair in self.ready_of(where)]
        self.nodes = self.all_nodes()

    def task(self, where):
        return at(where, self.library.task)

    def name(self, task):
        """Its body; of tasks of a taskloop that nobody has begun theirs."""
        if number(task["flags"]) & TASK_RANGE:
            loop = at(task["data"], self.library.type("task_range", "ghcomp_ranges_run"))["loop"]
            request = loop["request"]
            return code_name(number(request["task"]["fn"]) or number(request["run"]))
        return code_name(number(task["fn"]))

    def ready_of(self, where):
        """Pairs of a place and a task."""
        team = self.state.team(where)
        array_type = self.library.type("deque_array", "ghcomp_deque_push")
        slot = self.library.task.pointer().pointer()
        for i, member, _, _ in self.state.team_members(where):
            deque = member["deque"]
            top, bottom, array = number(deque["top"]), number(deque["bottom"]), at(deque["array"], array_type)
            if array is None:
                continue
            size, first = number(array["size"]), gdb.Value(address(array["tasks"])).cast(slot)
            for k in range(top, min(bottom, top + size, top + MOST)):
                if number(first[k & (size - 1)]):
                    yield where, f"queue of thread {i}", first[k & (size - 1)].dereference()
        yield from self.ready_with_priority(where, team)

    def ready_with_priority(self, where, team):
        queue = at(team["tasks"]["queues"], self.library.type("priority_queue", "ghcomp_priority_put"))
        for _ in range(MOST):
            if queue is None:
                return
            task = queue["first"]
            for _ in range(MOST):
                if not number(task):
                    break
                yield where, f"queue of priority {number(queue['priority'])}", task.dereference()
                task = task["next"]
            queue = at(queue["next"], queue.type)

    def all_nodes(self):
        """Dependence nodes that can be reached, by address: from the tables of running tasks, and from there along
        the successors."""
        found, todo = {}, []
        node_type = self.library.type("depend_node", "ghcomp_depend_node_make")
        closed = number(self.library.variable("closed_mark", "ghcomp_depend_node_make").address)
        for where in self.parents():
            todo += self.table_nodes(self.task(where))
        todo += [number(self.task(w)["node"]) for w in self.running] + [number(t["node"]) for _, _, t in self.ready]
        while todo and len(found) < MOST:
            where = todo.pop()
            if where == 0 or where in found:
                continue
            node, after = at(where, node_type), []
            edge = node["successors"]
            complete = number(edge) == closed
            edge = None if complete else at(edge, node["edge"].type)
            while edge is not None and len(after) < MOST:
                after.append(number(edge["successor"]))
                edge = at(edge["next"], edge.type)
            found[where] = {"node": node, "after": after, "complete": complete}
            todo += after
        return {where: n for where, n in found.items() if not n["complete"]}

    def parents(self):
        """Tasks that may have children: tasks on stacks, and implicit tasks."""
        found = set(self.running)
        for thread in self.state.threads:
            for member in thread.members():
                found |= {number(member["task"]), address(member["implicit"])}
        return found - {0}

    def table_nodes(self, task):
        table = at(task["child_dependences"], self.library.type("depend_table", "ghcomp_depend_register"))
        if table is None:
            return []
        found = [number(table["everything"])]
        for i in range(min(number(table["bucket_count"]), MOST)):
            entry = table["buckets"][i]
            while number(entry) and len(found) < MOST:
                for group in (entry["before"], entry["current"]):
                    found += [number(group["nodes"][k]) for k in range(min(number(group["count"]), MOST))]
                entry = entry["next"]
        return found

    def waiting(self):
        """Tasks that wait for others: each task, and the tasks that it waits for."""
        for where, n in self.nodes.items():
            task, left = n["node"]["task"], number(n["node"]["predecessors_left"]) & ~WAIT_FLAG & ~REGISTERING
            if number(task) and left:
                before = [self.nodes[w]["node"]["task"] for w in self.nodes if where in self.nodes[w]["after"]]
                yield task.dereference(), left, [b.dereference() for b in before if number(b)]

    def children(self, parent):
        """Deferred children of a task: the threads that run one, how many are ready, how many wait."""
        def is_child(task):
            return number(task["parent"]) == parent
        return ([t for where, t in self.running.items() if is_child(self.task(where))],
                sum(is_child(t) for _, _, t in self.ready), sum(is_child(t) for t, _, _ in self.waiting()))


# ----------------------------------------------------------------------- what threads wait for

def some(threads):
    return ", ".join(threads) if threads else "nobody"


def lock_name(where):
    name = symbol_name(where)
    if name is None:
        return f"a lock at {where:#x}"
    if name == "unnamed":
        return "critical without a name"
    found = re.match(r"\.?gomp_critical_user_(.*)$", name)
    return f"critical ({found[1]})" if found else f"lock {name}"


class Wait:
    """What a thread waits for, in words."""

    def __init__(self, state, tasks):
        self.state, self.tasks = state, tasks

    def of(self, thread):
        return getattr(self, "wait_" + thread.what)(thread)

    def others(self, where, what):
        return some([f"{i} ({t.title()})" for i, t in self.state.missing(where, what)])

    def wait_barrier(self, thread):
        team = number(thread.members()[0]["team"])
        return f"waits at a barrier of team {self.state.teams.get(team, '?')}, for its threads {self.others(team, 'barrier')}"

    def wait_join(self, thread):
        team = number(thread.members()[0]["team"])
        inside = [(i, t) for i, _, t, inside in self.state.team_members(team) if inside and i != 0]
        return (f"waits at the end of team {self.state.teams.get(team, '?')}, for its threads "
                + some([f"{i} ({t.title()})" for i, t in inside]))

    def wait_helpers(self, thread):
        return "waits for workers that still look for tasks of the region"

    def wait_tasks(self, thread):
        return "waits for the tasks of its team"

    def wait_region(self, thread):
        team = thread.d["dock"]["team"] if thread.d is not None else 0
        if number(team) and number(team) in self.state.teams:
            return f"has done its part of team {self.state.teams[number(team)]}; for tasks of it, or the next region"
        return "waits for a region"

    def wait_lock(self, thread):
        frames = thread.frames[thread.at:]
        where, nest = next((f.values["lock"] for f in frames if "lock" in f.values), 0), False
        for frame in frames:
            nest = nest or (frame.key is not None and frame.key[1].startswith("ghcomp_lock_nest_"))
            where = where or (frame.values.get("name", 0) if frame.name.startswith("GOMP_critical") else 0)
        where = where or thread.word
        if not where:
            return "waits for a lock"
        own = not any(f.name.startswith(("GOMP_", "omp_", "ghcomp_omp_")) for f in frames)
        if own:
            return f"waits for a lock of the runtime's own ({symbol_name(where) or hex(where)})"
        return f"waits for {lock_name(where)}, {self.owner(where, nest)}"

    def owner(self, where, nest):
        if nest:
            kind = self.state.library.type("nest_lock", "ghcomp_lock_nest_acquire")
            task = number(at(where, kind)["owner"])
            held = [t for t in self.state.threads if task in {number(m["task"]) for m in t.members()} | {w for _, w in t.tasks()}]
            if held:
                return "held by " + held[0].title()
        holders = [t for t in self.state.threads if t.d is not None and number(t.d["waiter"]["locks_held"])]
        if holders:
            return "held by one of those that hold locks: " + some([f"{t.title()} ({number(t.d['waiter']['locks_held'])})" for t in holders])
        return "held by a thread that is not recorded (GHCOMP_STATS=1 counts who holds locks)"

    def wait_copyprivate(self, thread):
        return "waits for the data of a single (copyprivate)"

    def wait_ordered(self, thread):
        value = thread.frames[thread.at].values.get("value")
        return "waits for its turn in an ordered loop" + (f": iteration {value}" if value is not None else "")

    def wait_across(self, thread):
        return "waits for an iteration of a doacross loop"

    def wait_turn(self, thread):
        library = at(thread.d["turn"]["of"], self.state.library.type("library", "ghcomp_turns_wait"))
        rank, place, t = 0, 1, at(library["first"], self.state.library.thread)
        while t is not None and place < MOST and rank == 0:
            rank = place if address(t) == address(thread.d) else 0
            place, t = place + 1, at(t["turn"]["next"], self.state.library.thread)
        if rank == 0:
            return "waits for its turn of a library's calls, which has come"
        holder = next((t.title() for t in self.state.threads if t.d is not None and address(t.d) == number(library["holder"])), "nobody")
        return f"waits for its turn of a library's calls: number {rank} of {number(library['waiting'])} in the queue, behind {holder}"

    def wait_children(self, thread):
        return "waits in a taskwait, for " + self.count_children(thread)

    def wait_fewer(self, thread):
        return "waits until fewer of the tasks that it has made are left: " + self.count_children(thread)

    def count_children(self, thread):
        task = thread.members()[0]["task"].dereference()
        left = (number(task["created"]) - (number(task["from_children"]) & 0xffffffff & ~WAIT_FLAG)) & 0xffffffff
        running, ready, waiting = self.tasks.children(address(task))
        parts = [f"running on {some([t.title() for t in running])}"] if running else []
        parts += [f"{ready} ready"] if ready else []
        parts += [f"{waiting} waiting for others"] if waiting else []
        return f"{left} {'child' if left == 1 else 'children'}" + (": " + ", ".join(parts) if parts else "")

    def wait_taskgroup(self, thread):
        task = thread.members()[0]["task"].dereference()
        left = (number(task["group"]["unfinished"]) & ~WAIT_FLAG) - 1 if number(task["group"]) else 0
        return f"waits at the end of a taskgroup, for {left} {'task' if left == 1 else 'tasks'} of it"

    def wait_depend(self, thread):
        node = thread.frames[thread.at].values.get("node")
        left = ""
        if node:
            waiting = at(node, self.state.library.type("depend_node", "ghcomp_depend_node_make"))["predecessors_left"]
            left = f" ({(number(waiting) & ~WAIT_FLAG & ~REGISTERING) - 1} left)"
        return "waits for tasks that its depend clause names" + left

    def wait_event(self, thread):
        return "waits for the event of a task (detach): omp_fulfill_event"


# ------------------------------------------------------------------------------------- commands

def what_it_does(thread, wait):
    if thread.d is None:
        return "has not met the runtime"
    if thread.what:
        return wait.of(thread)
    body = next((thread.frames[i - 1] for i, f in enumerate(thread.frames) if f.key in BODIES and i > 0), None)
    if body and body.path.endswith("cbits/LoopHelpers.c"):
        return "helps with a Haskell loop"
    frame = body or next((f for f in thread.frames if f.path and f.key is None), None)
    return "runs " + (frame.name + frame.where() if frame else "code without debug information")


def show_teams(state, wait):
    if not state.teams:
        print("no thread is in a region")
    for where in state.teams:
        team = state.team(where)
        parent = team["parent"]
        starter = ""
        if number(parent) and number(parent["team"]) in state.teams:
            starter = f", begun by thread {number(parent['number'])} of team {state.teams[number(parent['team'])]}"
        print(f"{state.team_title(where)}; level {number(team['level'])}, {number(team['size'])} threads{starter}")
        for i, _, thread, inside in state.team_members(where):
            if i == 0 and bool(team["detached"]):
                continue  # the loop's caller is not in the team
            does = what_it_does(thread, wait) if inside else "has done its part, or will begin it"
            inner = next((n for w, n in state.teams.items() if w != where and inside and
                          number(state.team(w)["parent"]) == address(team["members"][i])), None)
            print(f"  {i:3}  {thread.title() if thread else 'nobody':28} " + (f"is in team {inner}" if inner else does))


def show_threads(state, wait):
    for t in state.threads:
        places = [f"{number(m['number'])}/{number(m['team']['size'])} of team {state.teams[number(m['team'])]}"
                  for m in reversed(t.members()) if number(m["team"]) in state.teams]
        print(f"{t.number:4} {t.lwp:8} {t.name or '':16} {' > '.join(places) or '-':28} {what_it_does(t, wait)}")


def show_tasks(state, wait):
    tasks, shown = wait.tasks, 0
    for thread in state.threads:
        for depth, (frame, _) in enumerate(thread.tasks()):
            if frame.name == "run_range": # its tasks are what the program knows
                continue
            how = "is interrupted" if depth or thread.what else "runs"
            why = f", which {wait.of(thread)}" if depth == 0 and thread.what else ""
            print(f"{how:14} {frame.name}{frame.where()} on {thread.title()}{why}")
            shown += 1
    groups = {}
    for where, queue, task in tasks.ready:
        key = (state.teams[where], queue, tasks.name(task))
        groups[key] = groups.get(key, 0) + 1
    for (team, queue, name), count in groups.items():
        print(f"{'is ready':14} {name}{f', {count} of them' if count > 1 else ''}, {queue}, team {team}")
    for task, left, before in tasks.waiting():
        names = sorted(code_name(number(b["fn"])) for b in before)
        print(f"{'depends':14} {code_name(number(task['fn']))} on {left} {'task' if left == 1 else 'tasks'}" + (": " + ", ".join(names) if names else ""))
        shown += 1
    if not shown and not groups:
        print("no explicit tasks")


def show_waits(state, wait):
    for thread in state.threads:
        if thread.d is not None:
            print(f"{thread.title()} {what_it_does(thread, wait)}")
    known = [t for t in state.threads if t.d is not None]
    if any(t.what and not t.is_idle() for t in known) and all(t.what and t.what != "turn" for t in known):
        print("All of them wait: only a thread that has not met the runtime can end this.")


def show_stack(state, selected):
    """The calls of the selected thread; where the region begins, the calls of the thread that started it follow."""
    thread, count = next(t for t in state.threads if t.number == selected), 0
    member, frames = (thread.members() or [None])[0], thread.frames
    while True:
        for frame in frames:
            print(f"#{count:<3} {frame.name}{frame.where()}")
            count += 1
        starter = member["team"]["members"][0] if member is not None else None
        while member is not None and number(member["number"]) == 0:
            parent = member["team"]["parent"]
            member = parent.dereference() if number(parent) else None
        if member is None:
            return
        master = state.thread_of(member["team"]["members"][0])
        if master is None:
            return
        parent = member["team"]["parent"]
        print(f"--   the region was begun by {master.title()}:")
        level = sum(1 for m in master.members() if number(m["number"]) == 0 and number(m["team"]["level"]) > number(member["team"]["level"]))
        begins = [i for i, f in enumerate(master.frames) if f.name.startswith("GOMP_parallel") or f.name == "GOMP_teams_reg"]
        frames = master.frames[begins[level]:] if level < len(begins) else []
        member = parent.dereference() if number(parent) else None
        if not frames:
            return


SHOW = {
    "teams": (show_teams, "The regions that run: their teams, nested as they are, and what each of their threads does."),
    "threads": (show_threads, "Each thread of the process: number in gdb, in the system, name, places in teams, what it does."),
    "tasks": (show_tasks, "Explicit tasks: those that run or are interrupted, those that are ready, those that depend on others."),
    "waits": (show_waits, "What each thread of the runtime waits for, and which threads can end the wait."),
    "bt": (None, "The calls of the selected thread, and of the threads that began the regions around it."),
}


# --------------------------------------------------------------------- through Haskell's code

class Haskell(gdb.unwinder.Unwinder):
    """Finds the way of the C stack through Haskell's code on x86-64, for which there is no debug information.  (GHC gives no
    names to functions that a module does not export: `bt` prints ?? for them, `omp bt` the name of the code around them.)

    GHC's code has its own stack.  It leaves the stack pointer where StgRun, which enters Haskell's code, has put it, except
    for the arguments of C calls.  So the frame of StgRun's caller is at a fixed distance above.  StgRun's instructions give
    the distance.  The call instruction before the return address found there confirms it.  StgReturn, the way out, has
    the debug information for the rest."""

    CODE = re.compile(r"(_info|_entry|_slow|_fast|_ret|_dsp)$|^stg_")
    MOST_ARGUMENTS, FEW_ARGUMENTS = 512, 128  # bytes of one call's, on the stack

    def __init__(self):
        super().__init__("Haskell code")
        self.looked_at, self.run, self.back, self.distance = None, 0, 0, 0

    def find_run(self):
        """Runs once for each set of loaded files."""
        files = (gdb.selected_inferior().pid, len(gdb.objfiles()))
        if self.looked_at == files:
            return
        self.looked_at, self.run, self.distance = files, 0, 0
        self.back, machine = address_of("StgReturn"), gdb.selected_inferior().architecture()
        if not self.back or machine.name() != "i386:x86-64":
            return
        self.run = address_of("StgRun") or self.run_before_return()
        for instruction in machine.disassemble(self.run, self.back - 1) if self.run else []:
            found = re.match(r"sub\s+\$(0x[0-9a-f]+),%rsp", instruction["asm"])
            self.distance += int(found[1], 16) if found else 0

    def run_before_return(self):
        """The address of StgRun, which is before StgReturn; Debian's shared libraries have no name for it.  It begins with sub $…,%rsp."""
        found = gdb.selected_inferior().read_memory(self.back - 64, 64).tobytes().find(b"\x48\x83\xec")
        return self.back - 64 + found if found >= 0 else 0

    def room(self, pc):
        """How many bytes above the stack pointer the arguments of a call may take, in code that is Haskell's by its name.
        Functions that a module does not export have no name: for unknown code the stack decides, within fewer bytes."""
        block = gdb.block_for_pc(pc)
        while block is not None and block.function is None:
            block = block.superblock
        if block is not None and not re.search(r"\.l?hsc?$", block.function.symtab.filename):
            return 0
        name = symbol_name(pc)
        if block is None and name is None:
            return self.FEW_ARGUMENTS
        return self.MOST_ARGUMENTS if block is not None or self.CODE.search(name) else 0

    def called_run(self, where):
        """Whether the return address there is that of a call of StgRun."""
        memory = gdb.selected_inferior()
        back = int.from_bytes(memory.read_memory(where, 8).tobytes(), "little")
        if not 4096 < back < 1 << 47:
            return False
        call = memory.read_memory(back - 5, 5).tobytes()
        if call[0] != 0xe8:
            return False
        target = back + int.from_bytes(call[1:], "little", signed=True)
        return target == self.run or (symbol_name(target) or "").startswith("StgRun")

    def __call__(self, frame):
        self.find_run()
        pc, sp = number(frame.read_register("rip")) & (2 ** 64 - 1), number(frame.read_register("rsp"))
        for more in range(0, self.room(pc) if self.run else 0, 8):
            try:
                if not self.called_run(sp + more + self.distance):
                    continue
            except gdb.error:
                continue  # not an address
            found = frame.create_unwind_info(FrameId(sp, pc))
            found.add_saved_register("rip", gdb.Value(self.back).cast(frame.read_register("rip").type))
            found.add_saved_register("rsp", gdb.Value(sp + more).cast(frame.read_register("rsp").type))
            return found
        return None


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = gdb.Value(sp), gdb.Value(pc)


# ------------------------------------------------------------------------------------- answers

def answer(what):
    selected, frame = gdb.selected_thread(), None
    try:
        frame = gdb.selected_frame() if selected else None
        number_of_selected = selected.num if selected else 0
        state = State()
        if what == "bt":
            show_stack(state, number_of_selected)
        else:
            SHOW[what][0](state, Wait(state, Tasks(state)))
    except Problem as problem:
        raise gdb.GdbError(f"omp: {problem}")
    except gdb.error as error:
        raise gdb.GdbError(f"omp: the rest cannot be shown: {error} (the process was stopped while it changed this, or the core file lacks it)")
    finally:
        if selected and selected.is_valid():
            selected.switch()
            if frame is not None and frame.is_valid():
                frame.select()


class Omp(gdb.Command):
    """Shows what the threads of ghc-openmp do: omp teams, omp threads, omp tasks, omp waits, omp bt."""

    def __init__(self):
        super().__init__("omp", gdb.COMMAND_STATUS, prefix=True)

    def invoke(self, argument, from_tty):
        raise gdb.GdbError(f"omp: {argument.split()[0] + ': ' if argument.strip() else ''}expected one of: {', '.join(SHOW)}")


def make_command(name, text):
    class Sub(gdb.Command):
        def invoke(self, argument, from_tty):
            if argument.strip():
                raise gdb.GdbError(f"omp {name}: '{argument.strip()}': this command takes no argument")
            answer(name)
    Sub.__doc__ = text
    Sub("omp " + name, gdb.COMMAND_STATUS)


haskell = Haskell()
gdb.unwinder.register_unwinder(None, haskell, replace=True)
Omp()
for command, (_, documentation) in SHOW.items():
    make_command(command, documentation)
