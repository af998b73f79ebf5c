/** Programs that call the function in the sandbox: input on standard input, one JSON answer on standard output. */

export const SOURCE_FILE = { typescript: "main.mts", python: "main.py" } as const;
export type Language = keyof typeof SOURCE_FILE;

const TYPESCRIPT = `
import { readFileSync } from "node:fs";
const print = process.stdout.write.bind(process.stdout);
const { stringify, parse } = JSON;
const answer = (value) => print(stringify(value), () => process.exit(0));
for (const name of Object.keys(console)) if (typeof console[name] === "function") console[name] = () => undefined;
const lineOf = (error) => {
  const found = /main\\.mts:(\\d+)/u.exec(typeof error?.stack === "string" ? error.stack : "");
  return found ? Number(found[1]) : null;
};
const fail = (error) => answer({ line: lineOf(error), message: String(error?.message ?? error).slice(0, 500) });
process.on("uncaughtException", fail);
try {
  const memory = parse(readFileSync(0, "utf8"));
  const { default: run } = await import(process.argv[1]);
  if (typeof run !== "function") throw new Error("The code has no default export that is a function.");
  const value = await run(memory);
  answer({ value: value === undefined ? null : value });
} catch (error) {
  fail(error);
}
`;

const PYTHON = `
import json, sys, traceback
out, file = sys.stdout, sys.argv[1]
sys.stdout = None
def fail(error):
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "main.py"]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    return {"line": line, "message": (error.msg if isinstance(error, SyntaxError) else str(error) or type(error).__name__)[:500]}
try:
    memory = json.load(sys.stdin)
    scope = {"__name__": "main"}
    with open(file, encoding="utf-8") as source:
        exec(compile(source.read(), "main.py", "exec"), scope)
    if not callable(scope.get("main")):
        raise TypeError("The code has no function main.")
    answer = json.dumps({"value": scope["main"](memory)}, allow_nan=False)
except BaseException as error:
    answer = json.dumps(fail(error))
out.write(answer)
out.flush()
`;

/** Heap below the process's limit, so that a function that takes too much gets an error. */
const HEAP_MIB = 256;

export const argumentsFor = (language: Language, file: string): readonly string[] =>
  language === "typescript"
    ? ["--no-warnings", `--max-old-space-size=${HEAP_MIB}`, "--input-type=module", "-e", TYPESCRIPT, file]
    : ["-I", "-S", "-B", "-c", PYTHON, file];
