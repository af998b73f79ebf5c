/** Builds wheels that pip installs without an index. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

type Wheel = {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly requires?: readonly string[];
};

/** Answers over stdio with the standard library alone. */
export const PYTHON_SERVER = `import json, mimetypes, os, sys
from tiny_dep import NAME

mimetypes.init()

def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": NAME, "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": "where", "inputSchema": {"type": "object", "properties": {}}}]}
    if method == "tools/call":
        text = json.dumps({"executable": sys.executable, "argv": sys.argv, "path": sys.path, "bytecode": sys.dont_write_bytecode})
        return {"content": [{"type": "text", "text": text}]}
    return None

def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params", {}))
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        reply.update({"error": {"code": -32601, "message": "unknown"}} if result is None else {"result": result})
        print(json.dumps(reply), flush=True)
`;

/** Writes `<name>-<version>-py3-none-any.whl` below `folder`. */
export const buildWheel = (folder: string, { name, version, files, scripts = {}, requires = [] }: Wheel): void => {
  const info = `${name}-${version}.dist-info`;
  const source = path.join(folder, `${name}-${version}-source`);
  const metadata = [
    "Metadata-Version: 2.1",
    `Name: ${name}`,
    `Version: ${version}`,
    ...requires.map((each) => `Requires-Dist: ${each}`),
    "",
  ];
  const entries = Object.entries(scripts).map(([script, entry]) => `${script} = ${entry}\n`);
  const all: Readonly<Record<string, string>> = {
    ...files,
    [`${info}/METADATA`]: metadata.join("\n"),
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${info}/entry_points.txt`]: `[console_scripts]\n${entries.join("")}`,
    [`${info}/RECORD`]: "",
  };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(source, file)), { recursive: true });
    writeFileSync(path.join(source, file), text);
  }
  const tops = [...new Set(Object.keys(all).map((file) => file.split("/")[0] ?? ""))];
  execFileSync("python3", ["-m", "zipfile", "-c", path.join(folder, `${name}-${version}-py3-none-any.whl`), ...tops], { cwd: source });
};
