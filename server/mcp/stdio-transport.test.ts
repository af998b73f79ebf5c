/** Limits on what a process can do to its runner, with real processes. */
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

/** Waits for the end. @returns the reason and the number of messages before it */
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

  // Messages already in transit are refused too.
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
