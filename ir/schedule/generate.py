"""Turns the records of Directives.td into C++ and into the reference page of directives.

usage: generate.py RECORDS WHAT >OUTPUT

RECORDS is what `llvm-tblgen --dump-json` prints of Directives.td: a file, or "-". WHAT is `sections`, `subjects` or
`rows` (what Directives.h and Directives.cpp include), `views` (the classes of Schedule.h) or `page`
(docs/reference/directives.md).
"""

import json
import sys
import textwrap

records = json.load(sys.stdin if sys.argv[1] == "-" else open(sys.argv[1], encoding="utf-8"))


def resolved(thing):
    """A field of a record with the records that it refers to in their places."""
    if isinstance(thing, list):
        return [resolved(element) for element in thing]
    if isinstance(thing, dict) and thing.get("kind") == "def":
        return {name: resolved(value) for name, value in records[thing["def"]].items()}
    return thing


def all_of(kind):
    """The records of a class, in the order of the file."""
    line = {name: int(records[name]["!locs"][-1].rsplit(":", 1)[1]) for name in records["!instanceof"][kind]}
    return [resolved({"kind": "def", "def": name}) for name in sorted(line, key=line.get)]


SECTIONS, SUBJECTS, DIRECTIVES = all_of("Section"), all_of("Subject"), all_of("Directive")


def names(things):
    return [thing["name"] for thing in things]


def text(words):
    return json.dumps(words)


def braces(items):
    return "{" + ", ".join(items) + "}"


def texts(words):
    return braces(text(word) for word in words)


# ---- the table


def subject(thing):
    return "Subject::" + thing["subject"]["!name"]


def number_row(number):
    whole = "true" if number["type"] == "std::int64_t" else "false"
    power = "true" if number["powerOfTwo"] else "false"
    return braces([text(number["words"]), whole, power, number["least"], number["greatest"]])


def option_row(option):
    absent = braces([texts(names(option["absent"])), text(option["absentAs"])])
    number = number_row(option["number"])
    return braces([text(option["name"]), text(option["means"]), number, text(option["fallback"]), absent])


def value_row(directive, value):
    value_subject = subject(value if value["subject"] else directive)
    sections = names(value["sections"] or directive["sections"])
    absent = braces([texts(names(value["absent"])), text(value["absentAs"])])
    options = braces(option_row(option) for option in value["options"])
    return braces([text(value["name"]), text(value["means"]), value_subject, texts(sections), absent, options])


def sections():
    for section in SECTIONS:
        print(braces([text(section["name"]), text(section["holds"])]) + ",")


def subjects():
    for thing in SUBJECTS:
        print(f"SUBJECT({thing['!name']}, {text(thing['missing'])}) // {thing['means']}")


def rows():
    for directive in DIRECTIVES:
        absent = braces([texts(names(directive["absent"])), text(directive["absentAs"])])
        fields = [
            text(directive["name"]),
            text(directive["means"]),
            subject(directive),
            texts(names(directive["sections"])),
            absent,
            "true" if directive["by"] else "false",
            braces(value_row(directive, value) for value in directive["values"]),
            braces(texts(joined) for joined in directive["together"]),
            text(directive["decision"]),
            text(directive["would"]),
            text(directive["is"]),
        ]
        print("{" + ",\n ".join(fields) + "},")


# ---- the classes


def capital(word):
    return "".join(part[0].upper() + part[1:] for part in word.split("_"))


def views():
    print("// The classes of Schedule.h, from Directives.td.")
    for index, directive in enumerate(DIRECTIVES):
        name, values, joined = capital(directive["name"]), directive["values"], bool(directive["together"])
        print(f"/// `{directive['name']}`: {directive['means']}")
        print(f"struct {name} : Said {{")
        print("  using Said::Said;")
        print(f"  static constexpr unsigned index = {index};")
        if values[0]["name"]:
            print("  enum Choice : unsigned { " + ", ".join(capital(value["name"]) for value in values) + " };")
            if joined:
                print("  bool has(Choice choice) const { return Said::has(choice); }")
            else:
                print("  bool is(Choice choice) const { return Said::has(choice); }")
        options = {option["name"]: option for value in values for option in value["options"]}
        for option in options.values():
            cpp = option["number"]["type"]
            parameter, argument = ("Choice choice", "choice") if joined else ("", "only()")
            print(f"  /// {capital(option['means'])}.")
            print(f"  std::optional<{cpp}> {option['name']}({parameter}) const {{")
            print(f"    return option<{cpp}>({argument}, {text(option['name'])});")
            print("  }")
        print("};")


# ---- the page


def in_sections(sections):
    return ", ".join(f"`{section['name']}`" for section in sections)


def page():
    print("# Directives")
    print()
    print("This page is made from `ir/schedule/Directives.td` by `scripts/generate-docs`. [Schedules](../schedules.md) explains")
    print("each directive and says when it is refused.")
    print()
    print("A schedule names an algorithm, and has a section for each target and one for the graph's layout:")
    print()
    print("```gdsl")
    print("algorithm near(g: graph, source: vertex) {")
    print("    output hops: int[g] = inf;")
    print("    hops[source] = 0;")
    print("    walk: propagate u -> v from {source} round r where hops[v] == inf { hops[v] = r; }")
    print("}")
    print("schedule near { cpu walk { direction hybrid(alpha = 15); } layout { neighbors by degree; } }")
    print("```")
    print()
    print("| section | for |")
    print("| --- | --- |")
    for section in SECTIONS:
        print(f"| `{section['name']}` | {section['means']} |")
    print()
    print("A section may name a label, and then speaks of that statement alone. Without one it speaks of all statements that")
    print("a directive is for. What is said of one statement counts more than what is said of all.")
    for directive in DIRECTIVES:
        word = directive["name"] + (" by" if directive["by"] else "")
        print(f"\n## {word}\n")
        if directive["values"][0]["name"]:
            print(textwrap.fill(directive["means"], 120) + "\n")
        others = [other for other in DIRECTIVES if other is not directive]
        shared = [f"`{other['name']}`" for other in others if other["decision"] == directive["decision"]]
        if shared:
            print(f"It excludes {', '.join(shared)}: a statement has one of them.\n")
        print("| directive | for | in the sections | meaning |")
        print("| --- | --- | --- | --- |")
        for value in directive["values"]:
            for_whom = (value["subject"] or directive["subject"])["means"]
            sections = in_sections([s for s in value["sections"] or directive["sections"] if s not in value["absent"]])
            print(f"| `{(word + ' ' + value['name']).strip()}` | {for_whom} | {sections} | {value['means'] or directive['means']} |")
        if directive["together"]:
            joined = ", ".join("`" + " + ".join(values) + "`" for values in directive["together"])
            print(f"\nValues may be joined, in any order: {joined}.")
        options = [(value, option) for value in directive["values"] for option in value["options"]]
        if options:
            print()
            print("| option | of | takes | default | meaning |")
            print("| --- | --- | --- | --- | --- |")
            for value, option in options:
                fallback = option["fallback"] or "chosen by the compiler"
                more = f"; not in {in_sections(option['absent'])} yet" if option["absent"] else ""
                words = option["number"]["words"]
                print(f"| `{option['name']}` | `{value['name'] or word}` | {words} | {fallback} | {option['means']}{more} |")


{"sections": sections, "subjects": subjects, "rows": rows, "views": views, "page": page}[sys.argv[2]]()
