import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLocalAddress } from "./address";
import { createEgress, type Egress } from "./egress";
import type { Resolve } from "./egress-connect";
import { checkUrl, type EgressPolicy } from "./egress-url";

const opened = (origin: string): EgressPolicy => ({ allowOrigins: [], localOrigins: [origin] });

const NEVER = [
  "169.254.169.254",
  "169.254.170.2",
  "fd00:ec2::254",
  "fd20:ce::254",
  "fe80::1",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
  "0.0.0.0",
  "::",
  "224.0.0.1",
  "255.255.255.255",
  "::ffff:169.254.169.254",
  "64:ff9b::a9fe:a9fe",
];

const written = (address: string): string => (address.includes(":") ? `http://[${address}]` : `http://${address}`);

describe("an origin that is opened for local addresses", () => {
  test.each(["127.0.0.1", "127.8.9.10", "::1", "10.1.2.3", "172.16.0.1", "192.168.1.20", "fd12::1", "::ffff:10.0.0.1"])(
    "may be at %s",
    (address) => {
      const { origin } = new URL(written(address));
      expect(isLocalAddress(address)).toBe(true);
      expect(checkUrl(`${origin}/v1`, opened(origin)).ok).toBe(true);
      expect(checkUrl(`${origin}/v1`).ok).toBe(false);
    },
  );

  test.each(NEVER)("may not be at %s", (address) => {
    const { origin } = new URL(written(address));
    expect(isLocalAddress(address)).toBe(false);
    expect(checkUrl(`${origin}/v1`, opened(origin)).ok).toBe(false);
  });

  test("uses no plain text to a public address", () => {
    expect(checkUrl("http://93.184.215.14/v1", opened("http://93.184.215.14")).ok).toBe(false);
    expect(checkUrl("https://93.184.215.14/v1", opened("https://93.184.215.14")).ok).toBe(true);
  });

  test("opens no other port, host or scheme", () => {
    const policy = opened("http://127.0.0.1:8080");
    expect(checkUrl("http://127.0.0.1:8080/v1", policy).ok).toBe(true);
    for (const other of ["http://127.0.0.1:8081/v1", "http://127.0.0.2:8080/v1", "https://127.0.0.1:8080/v1", "http://localhost:8080/v1"]) {
      expect(checkUrl(other, policy).ok).toBe(false);
    }
  });
});

describe("a request to such an origin", () => {
  let port = 0;
  const open: Egress[] = [];
  const server = http.createServer((request, response) => {
    const to = new URL(request.url ?? "/", "http://here").searchParams.get("to");
    if (to !== null) response.writeHead(302, { location: to });
    response.end("hello");
  });
  const egress = (policy: EgressPolicy, resolve?: Resolve): Egress => {
    const made = createEgress({ policy, ...(resolve ? { resolve } : {}) });
    open.push(made);

    return made;
  };
  const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => "answered",
      (error: unknown) => (error instanceof Error ? JSON.stringify([error, error.cause]) : "unknown"),
    );

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address ? address.port : 0;
  });
  afterAll(async () => {
    await Promise.all(open.map((each) => each.close()));
    server.closeAllConnections();
    server.close();
  });

  test("reaches it by address and local name; other requests do not", async () => {
    const literal = `http://127.0.0.1:${port}`;
    expect(await (await egress(opened(literal)).fetch(`${literal}/`)).text()).toBe("hello");
    const named = `http://models.internal:${port}`;
    const home: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    expect(await (await egress(opened(named), home).fetch(`${named}/`)).text()).toBe("hello");
    expect(await codeOf(egress({ allowOrigins: [] }, home).fetch(`${named}/`))).toContain("egress_blocked");
  });

  test.each(NEVER)("is refused when its name resolves to %s, alone or beside a local address", async (address) => {
    const named = `http://models.internal:${port}`;
    const family = address.includes(":") ? 6 : 4;
    for (const answers of [
      [{ address, family }],
      [
        { address: "127.0.0.1", family: 4 },
        { address, family },
      ],
    ]) {
      expect(await codeOf(egress(opened(named), async () => answers).fetch(`${named}/`))).toContain("egress_blocked");
    }
  });

  test.each(NEVER)("opened by the operator is refused when its name resolves to %s", async (address) => {
    const named = `http://tools.internal:${port}`;
    const answers = [{ address, family: address.includes(":") ? 6 : 4 }];
    expect(await codeOf(egress({ allowOrigins: [named] }, async () => answers).fetch(`${named}/`))).toContain("egress_blocked");
    expect(checkUrl(`${written(address)}/`, { allowOrigins: [new URL(written(address)).origin] }).ok).toBe(false);
  });

  test("keeps the first address of a name that is rebound", async () => {
    const named = `http://tools.internal:${port}`;
    let asked = 0;
    const rebinding: Resolve = async () => [{ address: (asked += 1) === 1 ? "127.0.0.1" : "127.0.0.9", family: 4 }];
    const made = createEgress({ policy: { allowOrigins: [named] }, resolve: rebinding, pinsNames: true });
    open.push(made);
    for (let time = 0; time < 3; time += 1) {
      expect(await (await made.fetch(`${named}/`, { headers: { connection: "close" } })).text()).toBe("hello");
    }
    expect(asked).toBe(1);
  });

  test("follows no redirect to another local address", async () => {
    const literal = `http://127.0.0.1:${port}`;
    for (const target of ["http://127.0.0.1:1/", "http://169.254.169.254/", `http://localhost:${port}/`]) {
      expect(await codeOf(egress(opened(literal)).fetch(`${literal}/?to=${encodeURIComponent(target)}`))).toContain("egress_blocked");
    }
  });
});
