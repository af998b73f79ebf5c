import { once } from "node:events";
import { createServer, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getClientAddress, getClientNetwork, settleClientAddresses } from "./client-address";
import { parseRange, resolveClientAddress, type AddressRange } from "./trusted-proxies";

const rangesOf = (...texts: string[]): AddressRange[] => texts.flatMap((text) => parseRange(text) ?? []);

describe("the address of a client", () => {
  const proxies = rangesOf("10.0.0.0/8", "2001:db8:ffff::/48", "127.0.0.1");

  test.each([
    ["is the peer without a proxy", "203.0.113.7", undefined, "203.0.113.7"],
    ["is the peer whatever an untrusted one claims", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["is the peer when it claims to be a proxy", "203.0.113.7", "198.51.100.1, 10.0.0.1", "203.0.113.7"],
    ["is what a trusted proxy saw", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["is what a proxy saw, not what its client claims", "10.1.2.3", "192.0.2.1, 198.51.100.1", "198.51.100.1"],
    ["is the right-most hop that is not a proxy", "10.1.2.3", "192.0.2.1, 198.51.100.1, 10.9.9.9, 127.0.0.1", "198.51.100.1"],
    ["may be behind a proxy with IPv6", "2001:db8:ffff::1", "2001:db8::5", "2001:db8::5"],
    ["is IPv4 also when the system maps it", "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["is read without the port that a proxy adds", "10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
    ["is read without brackets and port", "10.1.2.3", "[2001:db8::5]:4711", "2001:db8::5"],
    ["is the proxy itself when it says nothing", "10.1.2.3", undefined, "10.1.2.3"],
    ["is the proxy itself when it says nothing readable", "10.1.2.3", "192.0.2.1, unknown", "10.1.2.3"],
    ["is the first proxy when no client precedes it", "10.1.2.3", "10.4.5.6", "10.4.5.6"],
    ["is not known without a peer", undefined, "198.51.100.1", "unknown"],
  ])("%s", (_what, peer, forwardedFor, client) => {
    expect(resolveClientAddress(peer, forwardedFor, proxies)).toBe(client);
  });

  test.each(["", "10", "10.0.0.0/33", "proxy.example.com", "10.0.0.1, 10.0.0.2", "::/129", "*"])("rejects the range '%s'", (text) => {
    expect(parseRange(text)).toBeNull();
  });

  test("is one rate-limit key per IPv6 network", () => {
    expect(getClientNetwork("2001:db8:1:2:3:4:5:6")).toBe(getClientNetwork("2001:db8:1:2:ffff::1"));
    expect(getClientNetwork("2001:db8:1:2:3:4:5:6")).not.toBe(getClientNetwork("2001:db8:1:3:3:4:5:6"));
    expect([
      getClientNetwork("203.0.113.7"),
      getClientNetwork("::ffff:203.0.113.7"),
      getClientNetwork("x"),
      getClientNetwork(null),
    ]).toEqual(["203.0.113.7", "203.0.113.7", "unknown", "unknown"]);
  });
});

describe("a request to a server of this process", () => {
  const server = createServer((incoming, outgoing) => outgoing.end(getClientAddress(String(incoming.headers["x-forwarded-for"]))));
  let port = 0;
  beforeAll(async () => {
    settleClientAddresses(rangesOf("127.0.0.2"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    port = typeof address === "object" && address ? address.port : 0;
  });
  afterAll(() => {
    server.close();
  });

  const seenFrom = async (localAddress: string, headers: Record<string, string | string[]>): Promise<string> => {
    const sent = request({ host: "127.0.0.1", port, localAddress, headers, agent: false });
    sent.end();
    const [answer] = (await once(sent, "response")) as [AsyncIterable<Buffer>];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);

    return Buffer.concat(chunks).toString("utf8");
  };

  test("is unknown unless the peer is a trusted proxy", async () => {
    const claim = { "X-Forwarded-For": "198.51.100.1" };

    expect(await seenFrom("127.0.0.1", claim)).toBe("127.0.0.1");
    expect(await seenFrom("127.0.0.1", {})).toBe("127.0.0.1");
    expect(await seenFrom("127.0.0.2", claim)).toBe("198.51.100.1");
    expect(await seenFrom("127.0.0.2", { "X-Forwarded-For": ["192.0.2.1", "198.51.100.1"] })).toBe("198.51.100.1");
  });
});
