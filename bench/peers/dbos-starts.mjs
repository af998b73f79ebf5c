/** Starts durable workflows over HTTP until its input ends. */
import http from "node:http";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { order } from "./driver.mjs";

const noting = DBOS.registerWorkflow(async (given) => DBOS.runStep(async () => given, { name: "note" }), { name: "noting" });

DBOS.setConfig({ name: "starts", systemDatabaseUrl: order.databaseUrl, logLevel: "error", runAdminServer: false, applicationVersion: "1" });
await DBOS.launch();

const bodyOf = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);

  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
};

const server = http.createServer(async (request, response) => {
  try {
    const { inputs } = await bodyOf(request);
    const { workflowID } = await DBOS.startWorkflow(noting, { workflowID: request.headers["idempotency-key"] })(inputs.order);
    response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ runId: workflowID }));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`ready ${server.address().port}\n`));
process.stdin.resume().once("end", () => process.exit(0));
