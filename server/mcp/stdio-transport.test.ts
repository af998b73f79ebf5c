import os from "node:os";
import { describe, expect, it } from "vitest";
import { createStdioTransport, type StdioOptions } from "./stdio-transport";

const options = (script: string, more: Partial<StdioOptions> = {}): StdioOptions => ({
  command: process.execPath,
  args: ["--max-old-space-size=64", "-e", script],
  env: {},
  cwd: os.tmpdir(),
  sandbox: null,
  maxMessageBytes: 1_048_576,
  ...more,
});

const ended = async (given: StdioOptions): Promise<{ readonly messages: number; readonly why: string }> => {
  const transport = createStdioTransport(given);
  let messages = 0;
  const whys: string[] = [];
  const closed = new Promise<void>((resolve) => {
    Object.assign(transport, {
      onmessage: () => (messages += 1),
      onerror: (error: Error) => whys.push(error.message),
      onclose: () => resolve(),
    });
  });
  await transport.start();
  await closed;

  // Also refused in transit.
  return { messages, why: whys[0] ?? "by itself" };
};

const STORM = `const line = JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: {} }) + "\\n";
  const send = () => { while (process.stdout.write(line.repeat(50))); process.stdout.once("drain", send); }; send();`;

describe("a server that never stops talking", () => {
  it("is ended above the message limit per ten seconds", async () => {
    const { messages, why } = await ended(options(STORM, { burst: { messages: 500, bytes: 1_000_000_000 } }));
    expect([messages, why]).toEqual([500, "too many messages"]);
  });

  it("is ended above the output limit per ten seconds", async () => {
    const { why } = await ended(options(STORM, { burst: { messages: 1_000_000, bytes: 100_000 } }));
    expect(why).toBe("too much output");
  });
});

it("a server that exceeds its memory limit ends alone", async () => {
  const { why } = await ended(options("const held = []; for (;;) held.push(new Array(100_000).fill(Math.random()));"));
  expect(why).toBe("by itself");
});

it("a server runs at lower priority, in its own process group, with only its variables", async () => {
  const script = `const os = require("node:os"); const { PATH, HOME, LD_PRELOAD } = process.env;
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", method: "said", params: { priority: os.getPriority(), names: Object.keys(process.env), PATH, HOME, LD_PRELOAD } }) + "\\n");`;
  const transport = createStdioTransport(options(`setTimeout(() => { ${script} }, 200)`, { env: { GIVEN: "x" } }));
  const said = new Promise<unknown>((resolve) => {
    Object.assign(transport, { onmessage: resolve });
  });
  await transport.start();
  expect(await said).toMatchObject({ params: { priority: os.constants.priority.PRIORITY_BELOW_NORMAL, names: ["GIVEN", "NODE_ENV"] } });
  await transport.close();
});

const failed = async (given: StdioOptions) => {
  const transport = createStdioTransport(given);
  const closed = new Promise<void>((resolve) => {
    Object.assign(transport, { onclose: resolve });
  });
  await transport.start();
  await closed;

  return transport.failure();
};

describe("a server that fails", () => {
  const SECRET = "sk-live-0123456789abcdef";

  it("leaves its exit code and its error output", async () => {
    expect(await failed(options('console.error("config.json is missing"); process.exit(3)'))).toEqual({
      errno: null,
      exitCode: 3,
      signal: null,
      output: "config.json is missing",
    });
  });

  it("leaves the signal that ended it, or why it could not be started", async () => {
    expect(await failed(options('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1_000)'))).toMatchObject({
      exitCode: null,
      signal: "SIGTERM",
    });
    const missing = createStdioTransport(options("", { command: "/nowhere/server" }));
    await expect(missing.start()).rejects.toThrow("ENOENT");
    expect(await missing.failure()).toEqual({ errno: "ENOENT", exitCode: null, signal: null, output: "" });
  });

  it("is asked while it runs, and has no exit code then or after we ended it", async () => {
    const transport = createStdioTransport(options('console.error("waiting for the database"); setInterval(() => {}, 1_000)'));
    await transport.start();
    const running = { errno: null, exitCode: null, signal: null, output: "waiting for the database" };
    await expect.poll(() => transport.failure(), { timeout: 10_000 }).toEqual(running);
    await transport.close();
    expect(await transport.failure()).toEqual(running);
  });

  it("cannot send control characters to its reader", async () => {
    const script = String.raw`process.stderr.write("\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J \u202etxt.exe \u0000 50%\r100%\r\nlast\n"); process.exit(1)`;
    const { output } = await failed(options(script));
    expect(output).not.toMatch(/[^\P{Cc}\t\n]|\p{Bidi_Control}/u);
    expect(output.split("\n")).toEqual([expect.stringMatching(/^red .*50%$/), "100%", "last"]);
  });

  it.each([
    ["lines", String.raw`"x".repeat(100) + "\n"`],
    ["one line", '"x".repeat(100)'],
  ])("keeps the last 50 lines and 8 kB of a flood: %s", async (_name, line) => {
    const script = `const line = (${line}).repeat(600); const send = () => { while (process.stderr.write(line)); process.stderr.once("drain", send); }; send();`;
    const { output, signal } = await failed(options(script, { burst: { messages: 10, bytes: 3_000_000 } }));
    expect(signal).toBe("SIGKILL");
    expect(output.length).toBeGreaterThan(1_000);
    expect(output.length).toBeLessThanOrEqual(8_192);
    expect(output.split("\n").length).toBeLessThanOrEqual(50);
  });

  it("does not repeat a secret that it was given as a variable", async () => {
    const script = `const { KEY } = process.env; const bytes = Buffer.from(KEY);
      for (const text of [KEY, bytes.toString("base64"), bytes.toString("hex"), encodeURIComponent(KEY), KEY.slice(0, 9) + "\\u001b[1m" + KEY.slice(9)])
        console.error("key: " + text);
      process.exit(1);`;
    const { output } = await failed(options(script, { env: { KEY: SECRET }, secrets: [SECRET] }));
    expect(output.split("\n").map((line) => line.slice(0, 15))).toEqual(Array.from({ length: 5 }, () => "key: [redacted]"));
    expect(output).not.toContain(SECRET.slice(-8));
  });
});
