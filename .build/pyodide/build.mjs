// node build.mjs FOLDER RULES: of Pyodide what the engine in the browser needs, ready to be sent.
// python.wasm.gz and python.mjs are the interpreter as it comes; python.zip.gz is of its standard library what the archive
// of the rules, their games and the interpreter itself import, without docstrings; msgspec.zip is the wheel.
// Same input, same bytes.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const folder = path.resolve(process.argv[2]);
const from = path.dirname(fileURLToPath(import.meta.resolve("pyodide")));
const wheels = fileURLToPath(new URL("node_modules/.wheels/", import.meta.url));
const squeezed = (bytes) => gzipSync(bytes, { level: 9 });

// What games of others may want beside what ours use; the names of their packages are read by the adapters.
const FOR_GAMES = ["bisect", "calendar", "cmath", "datetime", "decimal", "email.parser", "fractions", "graphlib", "heapq", "importlib.metadata._adapters", "random", "statistics", "string", "textwrap", "traceback", "uuid"];
const ENCODINGS = ["__init__", "aliases", "ascii", "cp1252", "cp437", "latin_1", "mac_roman", "raw_unicode_escape", "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_8", "utf_8_sig"]; // those of sheets too

// Of the version that package.json names.
const HASHES = {
  "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
  "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
  "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
  "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
  "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
};
for (const [name, hash] of Object.entries(HASHES)) {
  const found = createHash("sha256").update(fs.readFileSync(path.join(from, name))).digest("hex");
  if (found !== hash) throw new Error(`${name} is not the file that was chosen: its SHA-256 is ${found}`);
}

const { loadPyodide } = await import("pyodide"); // only now, as it runs
const python = await loadPyodide();
python.FS.writeFile("/all.zip", fs.readFileSync(path.join(from, "python_stdlib.zip")));
python.FS.writeFile("/rules.zip", gunzipSync(fs.readFileSync(process.argv[3])));
python.globals.set("for_games", python.toPy(FOR_GAMES));
python.globals.set("encodings", python.toPy(ENCODINGS));
python.runPython(`
import ast, sys, zipfile

started = {name for name in sys.modules if name != "__main__"}
library = zipfile.ZipFile("/all.zip")
files = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in library.namelist() if name.endswith(".py")}

def imported(name, source, anywhere):
    """Yield what a module imports: when it is imported itself, or anywhere in it."""
    waiting = [ast.parse(source)]
    package = name if files.get(name, "").endswith("__init__.py") else name.rpartition(".")[0]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, node.module] if node.module else above)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif anywhere or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += ast.iter_child_nodes(node)

kept, waiting = set(), [*started, *for_games]
with zipfile.ZipFile("/rules.zip") as rules:
    for name in rules.namelist():
        if name.endswith(".py"):
            waiting += imported("", rules.read(name), True)
while waiting:
    words = waiting.pop().split(".")
    for name in (".".join(words[:end]) for end in range(1, len(words) + 1)):
        if name in files and name not in kept:
            kept.add(name)
            waiting += imported(name, library.read(files[name]), False)

def wanted(file):
    if file.startswith("encodings/"):
        return file.removeprefix("encodings/").removesuffix(".py") in encodings
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".") in kept

def bare(source):
    """Return a program without docstrings and remarks, which nobody reads here."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node, False) is not None:
            node.body[0] = ast.Pass()
    return ast.unparse(tree)

with zipfile.ZipFile("/python.zip", "w") as after:
    for name in sorted(library.namelist()):
        if name.endswith(".py") and wanted(name):
            after.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), bare(library.read(name)))
`);
fs.mkdirSync(folder, { recursive: true });
const put = (name, bytes) => {
  fs.writeFileSync(path.join(folder, name), bytes);
  console.log(name, bytes.length);
};
put("pyodide.mjs", fs.readFileSync(path.join(from, "pyodide.mjs"), "utf8").replace(/\n\/\/# sourceMappingURL.*\s*$/, "\n"));
put("python.mjs", fs.readFileSync(path.join(from, "pyodide.asm.mjs")));
put("python.wasm.gz", squeezed(fs.readFileSync(path.join(from, "pyodide.asm.wasm"))));
put("python.zip.gz", squeezed(python.FS.readFile("/python.zip")));
const { info } = JSON.parse(fs.readFileSync(path.join(from, "pyodide-lock.json")));
put("lock.json", JSON.stringify({ info, packages: {} }));
const [wheel] = fs.readdirSync(wheels).filter((name) => name.startsWith("msgspec-"));
put("msgspec.zip", fs.readFileSync(path.join(wheels, wheel)));
process.exit(0); // its event loop keeps running
