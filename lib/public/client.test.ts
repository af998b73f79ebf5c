import { expect, test } from "vitest";
import { createClient } from "@/lib/public/client";

const build = (url: string) => () => createClient({ url, token: "cs_secret" });

test.each([
  "https://countersign.example.com",
  "https://countersign.example.com/",
  "http://localhost:3000",
  "http://127.0.0.1:3000",
  "http://[::1]:3000",
])("%s may get the token", (url) => {
  expect(build(url)).not.toThrow();
});

test.each([
  "http://countersign.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "ftp://localhost",
  "countersign",
])("%s never gets the token", (url) => {
  expect(build(url)).toThrow(TypeError);
});

test.each([
  [{ respondAsync: true }, "respond-async"],
  [{}, null],
])("a start with %o prefers %s", async (options, preferred) => {
  const sent: (string | null)[] = [];
  const client = createClient({
    url: "http://localhost:3000",
    token: "cs_secret",
    fetch: async (_address, init) => {
      sent.push(new Headers(init?.headers).get("prefer"));

      return Response.json({ runId: "run" }, { status: 202 });
    },
  });
  expect(await client.startRun({ graphId: "graph" }, options)).toEqual({ runId: "run" });
  expect(sent).toEqual([preferred]);
});
