import { readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isPublicAddress } from "./address";
import { createEgress, type Egress } from "./egress";
import type { Resolve } from "./egress-connect";
import { checkUrl } from "./egress-url";

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, "vectors", name), "utf8");
const lines = (name: string): string[] =>
  read(name)
    .split("\n")
    .filter((line) => line !== "");

const addresses = z.array(z.object({ address: z.string(), block: z.boolean(), why: z.string() })).parse(JSON.parse(read("addresses.json")));
const refused = addresses.filter(({ block }) => block).map(({ address }) => address);
const literal = (address: string): string => (address.includes(":") ? `http://[${address.replace("%", "%25")}]/` : `http://${address}/`);

/** A matter for the resolver. */
const resolvesElsewhere = (url: URL): boolean => !/^[\d.]+$|^\[/.test(url.hostname);

describe("an address", () => {
  it.each(addresses.map(({ address, block, why }) => [address, block, why] as const))(
    "%s is judged as expected (blocked: %s, %s)",
    (address, block) => {
      expect(isPublicAddress(address)).toBe(!block);
    },
  );
});

describe("a URL as typed or as stored", () => {
  it("is refused for every special address, in whatever form", () => {
    expect(refused.filter((address) => checkUrl(literal(address)).ok)).toEqual([]);
  });

  it("is accepted for public addresses and names", () => {
    const accepted = [
      ...addresses.filter(({ block }) => !block).map(({ address }) => literal(address)),
      "https://fda.gov/x",
      "https://example.com:8443/mcp",
    ];
    expect(accepted.filter((url) => !checkUrl(url).ok)).toEqual([]);
  });

  it.each(["10.0.0.1", "127.0.0.1", "169.254.169.254"])("is refused for every encoding of %s, unless it names a public host", (address) => {
    const passed = lines(`url_encodings_${address}.txt`).flatMap((line) => {
      const checked = checkUrl(line);

      return checked.ok ? [checked.value] : [];
    });
    // DNS answers are checked on connecting.
    expect(passed.filter((url) => !resolvesElsewhere(url) && !isPublicAddress(url.hostname))).toEqual([]);
  });

  it.each(["cloud_metadata_urls.txt", "patt_readme_urls.txt"])("is refused for all address forms of %s", (file) => {
    const passed = lines(file).flatMap((line) => {
      const checked = checkUrl(line);

      return checked.ok ? [checked.value] : [];
    });
    expect(passed.filter((url) => !resolvesElsewhere(url) && !isPublicAddress(url.hostname))).toEqual([]);
    expect(passed.filter((url) => url.protocol !== "http:" && url.protocol !== "https:")).toEqual([]);
  });

  it.each([
    ["file:///etc/passwd", "scheme_not_http"],
    ["gopher://example.com/", "scheme_not_http"],
    ["https://user:secret@example.com/", "credentials_in_url"],
    ["http://localhost:3000/", "host_not_public"],
    ["http://localhost.:3000/", "host_not_public"],
    ["http://db.internal/", "host_not_public"],
    ["http://postgres/", "host_not_public"],
    ["http://0x7f.1/", "host_not_public"],
    ["http://[::ffff:127.0.0.1]/", "host_not_public"],
    ["http://①②⑦.⓪.⓪.①/", "host_not_public"],
    ["no url", "url_invalid"],
    [`https://example.com/${"x".repeat(2_000)}`, "url_invalid"],
  ])("%s is refused as %s", (url, fault) => {
    expect(checkUrl(url)).toEqual({ ok: false, error: fault });
  });

  it("opens a local origin only for code that names exactly that origin", () => {
    const policy = { allowOrigins: ["http://127.0.0.1:4000"] };
    expect(checkUrl("http://127.0.0.1:4000/mcp", policy).ok).toBe(true);
    expect(checkUrl("http://127.0.0.1:4001/mcp", policy).ok).toBe(false);
    expect(checkUrl("http://127.0.0.1:4000@127.0.0.1:4001/", policy).ok).toBe(false);
  });
});

describe("a URL that has to be https", () => {
  const policy = { allowOrigins: ["http://10.0.0.5:8080"], requireHttps: true } as const;

  it.each([
    ["https://mcp.example.com/", true],
    ["http://mcp.example.com/", false],
    ["http://8.8.8.8/", false],
    ["http://10.0.0.5:8080/mcp", true],
    ["http://10.0.0.5/mcp", false],
    ["https://10.0.0.5:8080/mcp", false],
  ])("%s is accepted: %s", (url, accepted) => {
    expect(checkUrl(url, policy).ok).toBe(accepted);
  });

  it("reports a private address before a missing https", () => {
    expect(checkUrl("http://192.168.0.1/", policy)).toEqual({ ok: false, error: "host_not_public" });
    expect(checkUrl("http://mcp.example.com/", policy)).toEqual({ ok: false, error: "not_https" });
  });
});

const loopback: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];
const both: Resolve = async () => [
  { address: "8.8.8.8", family: 4 },
  { address: "127.0.0.1", family: 4 },
];
const nobody: Resolve = async () => [];
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "reached",
    (error: unknown) => {
      const chain = [error, error instanceof Error ? error.cause : undefined];

      return chain.some((item) => item instanceof Error && "code" in item && item.code === "egress_blocked")
        ? "egress_blocked"
        : String(error);
    },
  );

describe("a request", () => {
  let origin: string;
  let reached: string[] = [];
  const server = http.createServer((request, response) => {
    reached.push(request.url ?? "");
    const url = new URL(request.url ?? "/", origin);
    const to = url.searchParams.get("to");
    if (to !== null) response.writeHead(302, { location: to }).end();
    else if (url.pathname === "/large") response.end("x".repeat(5_000));
    else if (url.pathname === "/silent") return;
    else response.end(`hello ${request.headers.authorization ?? ""}`);
  });
  const open: Egress[] = [];
  const egress = (resolve: Resolve, allowed = true): Egress => {
    const made = createEgress({
      policy: { allowOrigins: allowed ? [origin] : [] },
      resolve,
      maxResponseBytes: 4_000,
      headTimeoutMs: 300,
      connectTimeoutMs: 500,
    });
    open.push(made);

    return made;
  };
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    origin = typeof address === "object" && address ? `http://127.0.0.1:${address.port}` : "";
  });
  afterAll(async () => {
    await Promise.all(open.map((each) => each.close()));
    server.closeAllConnections();
    server.close();
  });

  it.each(refused)("to a name resolving to %s is refused before connecting", async (address) => {
    const family = address.includes(":") ? 6 : 4;
    expect(await codeOf(egress(async () => [{ address, family }], false).fetch("http://public.example/"))).toBe("egress_blocked");
  });

  it("to a name with a public and a private answer is refused", async () => {
    reached = [];
    const { port } = new URL(origin);
    expect(await codeOf(egress(both, false).fetch(`http://public.example:${port}/`))).toBe("egress_blocked");
    expect(reached).toEqual([]);
  });

  it("to a name without an answer is refused", async () => {
    expect(await codeOf(egress(nobody, false).fetch("http://public.example/"))).toBe("egress_blocked");
  });

  it.each(refused)("that is redirected to %s is refused", async (address) => {
    const { fetch } = egress(nobody);
    expect(await codeOf(fetch(`${origin}/?to=${encodeURIComponent(literal(address))}`))).toBe("egress_blocked");
  });

  it.each(["file:///etc/passwd", "http://localhost/", "//169.254.169.254/", "http://evil.example/"])(
    "that is redirected to %s is refused",
    async (target) => {
      expect(await codeOf(egress(loopback).fetch(`${origin}/?to=${encodeURIComponent(target)}`))).toBe("egress_blocked");
    },
  );

  it("that has to be https follows no other redirect and resolves nothing for it", async () => {
    let asked = 0;
    const counting: Resolve = async () => {
      asked += 1;

      return [{ address: "8.8.8.8", family: 4 }];
    };
    const made = createEgress({ policy: { allowOrigins: [origin], requireHttps: true }, resolve: counting, connectTimeoutMs: 500 });
    open.push(made);
    expect(await codeOf(made.fetch(`${origin}/?to=${encodeURIComponent("http://public.example/")}`))).toBe("egress_blocked");
    expect(asked).toBe(0);
  });

  it("follows redirects within its origin, returns them when asked, rejects them when told", async () => {
    const { fetch } = egress(nobody);
    const url = `${origin}/?to=${encodeURIComponent("/there")}`;
    expect(await (await fetch(url, { headers: { authorization: "Bearer t" } })).text()).toBe("hello Bearer t");
    expect((await fetch(url, { redirect: "manual" })).status).toBe(302);
    expect(await codeOf(fetch(url, { redirect: "error" }))).toBe("egress_blocked");
  });

  it("resolves once per connection, so that a rebinding name gains nothing", async () => {
    reached = [];
    const { port } = new URL(origin);
    let asked = 0;
    // Public at first, then this machine.
    const changing: Resolve = async () => {
      asked += 1;

      return [asked === 1 ? { address: "192.88.98.1", family: 4 } : { address: "127.0.0.1", family: 4 }];
    };
    const { fetch } = egress(changing, false);
    expect(await codeOf(fetch(`http://public.example:${port}/first`))).not.toBe("reached");
    expect(asked).toBe(1);
    for (const again of ["/second", "/third"]) expect(await codeOf(fetch(`http://public.example:${port}${again}`))).toBe("egress_blocked");
    expect([asked, reached]).toEqual([3, []]);
  });

  it("gives up after three redirects", async () => {
    const nest = (depth: number): string => (depth === 0 ? "/end" : `/?to=${encodeURIComponent(nest(depth - 1))}`);
    const { fetch } = egress(nobody);
    expect(await (await fetch(origin + nest(3))).text()).toBe("hello ");
    expect(await codeOf(fetch(origin + nest(4)))).toBe("egress_blocked");
  });

  it("sends nothing of the first origin to another", async () => {
    const seen: http.IncomingHttpHeaders[] = [];
    const other = http.createServer((asked, response) => {
      seen.push(asked.headers);
      response.end("there");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const elsewhere = typeof address === "object" && address ? `http://127.0.0.1:${address.port}` : "";
    const made = createEgress({ policy: { allowOrigins: [origin, elsewhere] } });
    open.push(made);
    const headers = { authorization: "Bearer t", cookie: "a=b", "x-api-key": "k", "x-anything": "v", accept: "text/plain" };
    expect(await (await made.fetch(`${origin}/?to=${encodeURIComponent(elsewhere)}`, { headers })).text()).toBe("there");
    expect(seen[0]).toMatchObject({ accept: "text/plain" });
    expect(Object.keys(seen[0] ?? {}).filter((name) => ["authorization", "cookie", "x-api-key", "x-anything"].includes(name))).toEqual([]);
    expect(await codeOf(made.fetch(`${origin}/?to=${encodeURIComponent(elsewhere)}`, { method: "POST", body: "x", headers }))).toBe(
      "egress_blocked",
    );
    expect(seen).toHaveLength(1);
    other.closeAllConnections();
    other.close();
  });

  it("fails on a too large or missing answer", async () => {
    const { fetch } = egress(nobody);
    await expect(fetch(`${origin}/large`).then((response) => response.text())).rejects.toThrow("too large");
    await expect(fetch(`${origin}/silent`)).rejects.toThrow("fetch failed");
  });
});
