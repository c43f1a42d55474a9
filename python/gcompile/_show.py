"""How notebooks show results: a table of the first vertices, and how values are distributed."""

import html

import numpy

ROWS, BARS = 10, 24


def table(head, rows, caption=""):
    """A table of HTML."""
    cells = "".join(f"<th>{html.escape(word)}</th>" for word in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(word)}</td>" for word in row) + "</tr>" for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _columns(result, about_results):
    """The values of vertices: their names, arrays and types; the elements of tuples one by one."""
    for about in about_results:
        if about["shape"] != "vertex":
            continue
        values, types = result[about["name"]], about.get("elements", [about["type"]])
        for k, (array, type_name) in enumerate(zip(values if "elements" in about else (values,), types)):
            yield about["name"] + (f"[{k}]" if "elements" in about else ""), array, type_name


def _is_none(array, type_name):
    """Where a value stands for none or for no finite number."""
    if array.dtype.kind == "f":
        return ~numpy.isfinite(array)
    if type_name in ("vertex", "int", "long"):
        limits = numpy.iinfo(array.dtype)
        return (array == limits.max) | ((array == limits.min) if array.dtype.kind == "i" else False)
    return numpy.zeros(array.shape, bool)


def _word(value, none, type_name, names):
    if none:
        return "none" if type_name == "vertex" else "inf" if value > 0 else "nan" if value != value else "-inf"
    if type_name == "vertex":
        return str(names[int(value)])
    return f"{value:.6g}" if isinstance(value, float) else str(value).lower() if type_name == "bool" else str(value)


def bars(values):
    """How often values occur: pairs of a label and a count. Few whole numbers have a bar each, others share bars."""
    if values.size == 0:
        return []
    if values.dtype.kind in "iub":
        found, counts = numpy.unique(values, return_counts=True)
        if len(found) <= BARS:
            return [(str(value).lower(), int(count)) for value, count in zip(found.tolist(), counts)]
    counts, edges = numpy.histogram(values.astype(numpy.float64), bins=BARS)
    return [(f"{low:.4g} to {high:.4g}", int(count)) for low, high, count in zip(edges, edges[1:], counts)]


def plot(name, pairs, width=420, height=140):
    """A picture of bars, as SVG."""
    top = max((count for _, count in pairs), default=0)
    if top == 0:
        return ""
    step, parts = width / len(pairs), []
    for place, (label, count) in enumerate(pairs):
        tall = (height - 40) * count / top
        parts.append(f'<rect x="{place * step + 1:.1f}" y="{height - 20 - tall:.1f}" width="{max(step - 2, 1):.1f}" '
                     f'height="{tall:.1f}" fill="#4878a8"><title>{html.escape(label)}: {count}</title></rect>')
    ends = [(0, "start", pairs[0][0])] + ([(width, "end", pairs[-1][0])] if len(pairs) > 1 else [])
    parts += [f'<text x="{x}" y="{height - 5}" text-anchor="{anchor}" font-size="11">{html.escape(label)}</text>'
              for x, anchor, label in ends]
    parts.append(f'<text x="0" y="12" font-size="11">{html.escape(name)}: most frequent {top} times</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img">' + "".join(parts)
            + "</svg>")


def page(result, about_results):
    """A result as HTML, with what the manifest says of its parts: single values, the first vertices, and a picture for each result of numbers."""
    names, columns = result.names, list(_columns(result, about_results))
    nothing = [_is_none(array, type_name) for _, array, type_name in columns]
    scalars = [f"{about['name']} = {result[about['name']]}" for about in about_results if about["shape"] == "scalar"]
    count = min(result.num_vertices, ROWS)
    rows = [[str(names[v])] + [_word(array[v].item(), none[v], type_name, names)
                               for (_, array, type_name), none in zip(columns, nothing)] for v in range(count)]
    caption = f"{result.num_vertices} vertices, {result.num_edges} edges" + "".join("; " + each for each in scalars)
    if count < result.num_vertices:
        rows.append(["..."] * (1 + len(columns)))
    pictures = [plot(name, bars(array[~none])) for (name, array, type_name), none in zip(columns, nothing)
                if type_name != "vertex"]
    return table(["vertex", *(name for name, _, _ in columns)], rows, caption) + "".join(pictures)
