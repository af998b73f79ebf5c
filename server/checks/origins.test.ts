import { expect, it } from "vitest";
import { describeCheck } from "@/lib/checks";
import type { Resolve } from "@/server/security/egress-connect";
import { checkOrigins } from "./origins";

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "tools.internal": ["10.0.0.5", "fd12::5"],
  "mixed.internal": ["10.0.0.5", "169.254.169.254"],
};

const resolve: Resolve = async (host) => {
  const addresses = ANSWERS[host];
  if (!addresses) throw new Error("ENOTFOUND");

  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};

const checked = async (...origins: string[]) => (await checkOrigins(origins, resolve)).map(describeCheck);

it("names the addresses of each open origin", async () => {
  expect(await checked("http://tools.internal:9000", "http://127.0.0.1:8000", "http://[::1]:8000")).toMatchObject([
    { area: "origins", status: "ok", says: "http://tools.internal:9000 is open to MCP servers, and resolves to 10.0.0.5, fd12::5." },
    { status: "ok", says: "http://127.0.0.1:8000 is open to MCP servers, and resolves to 127.0.0.1." },
    { status: "ok", says: "http://(::1):8000 is open to MCP servers, and resolves to ::1." },
  ]);
});

it("says why an origin stays closed: one of its addresses is never opened", async () => {
  expect(await checked("http://mixed.internal", "http://169.254.169.254", "http://0.0.0.0:80")).toMatchObject([
    { status: "failed", code: "origin_refused", says: expect.stringContaining("resolves to 169.254.169.254") as string },
    { status: "failed", code: "origin_refused" },
    { status: "failed", code: "origin_refused" },
  ]);
});

it("warns of a name that does not resolve here", async () => {
  expect(await checked("http://gone.internal")).toMatchObject([{ status: "warning", code: "origin_unresolved" }]);
});

it("says that none is open", async () => {
  expect(await checked()).toMatchObject([{ status: "ok", code: "origins_none" }]);
});
