import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import type { Json } from "@/lib/json";
import { probeIsolation } from "@/server/sandbox/probe";
import { landlockAbi } from "@/server/sandbox/launcher/native.mjs";
import { SERVER_USERS } from "@/server/sandbox/users";
import type { CodeAnswer } from "@/server/executors/contract";
import { createCodeRunner, findPython } from "./code-runner";
import type { Language } from "./harness";

const root = path.resolve(import.meta.dirname, "../..");
const hasLandlock = process.platform === "linux" && landlockAbi() >= 4;

const run = async (source: string, memory: Json = {}, more: { language?: Language; timeoutMs?: number } = {}): Promise<CodeAnswer> => {
  let answer: CodeAnswer | undefined;
  await inTemporaryFolder(async (scratch) => {
    fs.chmodSync(scratch, 0o711);
    const runner = createCodeRunner({ root, scratch, users: SERVER_USERS, isolation: () => probeIsolation(root, scratch) });
    answer = await runner({ language: "typescript", timeoutMs: 20_000, ...more, source, memory }, new AbortController().signal);
    expect(fs.readdirSync(scratch).filter((name) => name.startsWith("code-"))).toEqual([]);
  });
  if (!answer) throw new Error("no answer");

  return answer;
};
const body = (text: string) => `export default async (memory: any) => { ${text} };`;
const ok = (value: Json) => ({ status: "ok", value });

describe.runIf(hasLandlock)("a function", () => {
  it("in TypeScript gets the memory and returns JSON", async () => {
    const source = `type Order = { items: { price: number }[] };
export default ({ order }: { order: Order }): { total: number } => ({ total: order.items.reduce((sum, { price }) => sum + price, 0) });`;
    expect(await run(source, { order: { items: [{ price: 3 }, { price: 4 }] } })).toEqual(ok({ total: 7 }));
    expect(await run(body("console.log('x'); return undefined"))).toEqual(ok(null));
  });

  it.runIf(findPython() !== null)("in Python gets the memory and returns JSON", async () => {
    const source = 'def main(memory):\n    print("x")\n    return {"names": sorted(memory["names"])}\n';
    expect(await run(source, { names: ["b", "a"] }, { language: "python" })).toEqual(ok({ names: ["a", "b"] }));
  });

  it("that fails says the line and message", async () => {
    expect(await run("\n\nexport default () => { throw new Error('no plan'); };")).toMatchObject({
      code: "code_failed",
      line: 3,
      message: "no plan",
    });
    expect(await run("\nexport default () => {")).toMatchObject({ code: "code_failed", line: 2 });
    expect(await run("export const other = 1;")).toMatchObject({
      code: "code_failed",
      message: expect.stringContaining("default export") as string,
    });
  });

  it.runIf(findPython() !== null)("in Python that fails says the line and message", async () => {
    const python = { language: "python" } as const;
    expect(await run("def main(memory):\n    raise ValueError('no plan')\n", {}, python)).toMatchObject({
      code: "code_failed",
      line: 2,
      message: "no plan",
    });
    expect(await run("def main(memory)\n", {}, python)).toMatchObject({ code: "code_failed", line: 1 });
    expect(await run("x = 1\n", {}, python)).toMatchObject({ code: "code_failed", message: "The code has no function main." });
  });
});

describe.runIf(hasLandlock)("an attack", () => {
  let server: net.Server;
  let port = 0;
  let reached = 0;
  beforeAll(
    () =>
      new Promise<void>((resolve) => {
        server = net.createServer((socket) => {
          reached += 1;
          socket.destroy();
        });
        server.listen(0, "127.0.0.1", () => {
          const address = server.address();
          port = typeof address === "object" && address ? address.port : 0;
          resolve();
        });
      }),
  );
  afterAll(() => void server.close());

  const tryTo = (attempt: string) =>
    `try { ${attempt}; return "done"; } catch (error) { return error.code ?? error.cause?.code ?? String(error); }`;
  const code = (attempt: string) => body(tryTo(attempt));

  it("reaches no network", async () => {
    const connect = `const net = await import("node:net"); await new Promise((done, fail) => net.connect(${port}, "127.0.0.1", done).on("error", fail))`;
    expect(await run(code(connect))).not.toEqual(ok("done"));
    expect(await run(code(`await fetch("http://127.0.0.1:${port}/")`))).not.toEqual(ok("done"));
    const datagram = `const { createSocket } = await import("node:dgram"); await new Promise((done, fail) => createSocket("udp4").on("error", fail).send("x", ${port}, "127.0.0.1", (error) => error ? fail(error) : done()))`;
    expect(await run(code(datagram))).not.toEqual(ok("done"));
    expect(reached).toBe(0);
  });

  it("reads and writes no file beyond its own folder", async () => {
    const files = ["/etc/passwd", "/etc/hosts", path.join(root, "package.json"), "/proc/1/environ", "/etc/shadow"];
    const attempts = [
      ...files.map((file) => `readFileSync(${JSON.stringify(file)})`),
      'writeFileSync("/tmp/code-escaped", "x")',
      'writeFileSync("own", "x")',
    ].map((attempt) => `(async () => { ${tryTo(`(await import("node:fs")).${attempt}`)} })()`);
    expect(await run(body(`return await Promise.all([${attempts.join()}])`))).toEqual(ok([...files.map(() => "EACCES"), "EACCES", "done"]));
    expect(fs.existsSync("/tmp/code-escaped")).toBe(false);
  });

  it("starts no process and signals none", async () => {
    const start = `const { spawnSync } = await import("node:child_process"); const { error } = spawnSync(process.execPath, ["-v"]); if (error) throw error`;
    expect(await run(code(start))).toEqual(ok("EPERM"));
    expect(await run(code(`process.kill(${process.pid}, 0)`))).toEqual(ok("EPERM"));
  });

  it.runIf(findPython() !== null)("forks no bomb", async () => {
    const source = "import os\ndef main(memory):\n    while True:\n        os.fork()\n";
    expect(await run(source, {}, { language: "python" })).toMatchObject({ status: "failed", code: "code_failed", line: 4 });
  });

  it("sees no environment", async () => {
    const seen = await run(
      body("return { own: Object.keys(process.env), raw: (await import('node:fs')).readFileSync('/proc/self/environ', 'utf8') }"),
    );
    const value = seen.status === "ok" ? JSON.stringify(seen.value) : "";
    expect(value).not.toMatch(/PATH|HOME|COUNTERSIGN|KEY|TOKEN|DATABASE/u);
    expect(seen.status).toBe("ok");
  });

  it("loops for no longer than its time, and takes no more memory than it may", async () => {
    const before = performance.now();
    expect(await run(body("for (;;);"), {}, { timeoutMs: 1_500 })).toMatchObject({ code: "code_timeout" });
    expect(await run(body("await new Promise(() => setInterval(() => undefined, 1000))"), {}, { timeoutMs: 1_500 })).toMatchObject({
      code: "code_timeout",
    });
    expect(performance.now() - before).toBeLessThan(20_000);
    const grow = "const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length));";
    expect(await run(body(grow))).toMatchObject({ code: "code_killed" });
    expect((await run(body("const all = []; for (;;) all.push(Buffer.alloc(50_000_000, 1));"))).status).toBe("failed");
  });

  it("returns no huge, odd or forged output", async () => {
    expect(await run(body("return 'x'.repeat(5_000_000)"))).toMatchObject({
      code: "code_output_invalid",
      message: "The result is larger than 4 MiB.",
    });
    expect(await run(body("process.stdout.write('{\"value\":1}'); return 2"))).toMatchObject({ code: "code_output_invalid" });
    expect(await run(body("let deep = []; for (let i = 0; i < 500; i += 1) deep = [deep]; return deep"))).toMatchObject({
      code: "code_output_invalid",
    });
    expect(await run(body("const self = {}; self.self = self; return self"))).toMatchObject({ code: "code_failed" });
    expect(await run(body("return 1n"))).toMatchObject({ code: "code_failed" });
    expect(await run(body("process.exit(0)"))).toMatchObject({ code: "code_killed" });
    const polluted = await run(
      body(`JSON.stringify = () => '{"value":{"__proto__":{"admin":true}}}'; Object.prototype.admin = true; return {}`),
    );
    expect(polluted).toEqual(ok({}));
    const named = await run(body(`return JSON.parse('{"__proto__":{"admin":true}}')`));
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    expect(named.status === "ok" ? Object.getPrototypeOf(named.value) : Object.prototype).toBe(Object.prototype);
  });
});

it("runs nothing where the machine does not isolate it", async () => {
  const runner = createCodeRunner({
    root,
    scratch: "/nowhere",
    users: SERVER_USERS,
    isolation: () => Promise.resolve({ holds: [], reason: "Isolation needs Linux" }),
  });
  const answer = await runner(
    { language: "typescript", source: body("return 1"), memory: {}, timeoutMs: 1_000 },
    new AbortController().signal,
  );
  expect(answer).toEqual({
    status: "failed",
    code: "code_unavailable",
    line: null,
    message: "Code needs an isolated process, which this machine lacks: Isolation needs Linux.",
  });
});
