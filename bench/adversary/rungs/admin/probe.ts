/** Logs its start and calls. */
import fs from "node:fs";
import { argv, env } from "node:process";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const [, , log = "", ...args] = argv;
const note = (line: object): void => fs.appendFileSync(log, `${JSON.stringify(line)}\n`);

note({ args, env });
serveStdio(() => {
  const server = new McpServer({ name: "probe", version: "1.0.0" });
  server.registerTool("touch", { description: "Notes that it was called." }, () => {
    note({ called: true });

    return { content: [{ type: "text", text: "noted" }] };
  });

  return server;
});
