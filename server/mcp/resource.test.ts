import { afterAll, describe, expect, it } from "vitest";
import type { Connection } from "./connection";
import { createLocalConnector } from "./local-connector";
import { createResourceChanges } from "./read-resource";
import { MOST_SUBSCRIPTIONS } from "./resource";
import { testInstallation } from "./testing/installation";
import { modernResourceServer, RESOURCE_URI, type ResourceServer } from "./testing/resource-server";
import { systemClock } from "@/server/clock";

const installation = await testInstallation();
const HOUR_MS = 3_600_000;
let offsetMs = 0;
const opened: Connection[] = [];
afterAll(() => Promise.all(opened.map((connection) => connection.close())));

const open = async (server: ResourceServer, onUpdated: (uri: string) => void = () => undefined): Promise<Connection> => {
  const connector = createLocalConnector({
    installation,
    scratch: installation.home,
    egress: { allowOrigins: [server.origin] },
    clock: { ...systemClock, now: () => systemClock.now() + offsetMs },
    isolation: () => Promise.reject(new Error("nothing starts here")),
    sandboxLevel: "off",
  });
  const transport = { type: "http", url: `${server.origin}/mcp` } as const;
  const opening = { workspace: "w", server: "s", transport, access: { headers: {}, auth: null }, secrets: {}, environment: {} };
  const connection = await connector.open({ ...opening, era: "auto" }, onUpdated);
  opened.push(connection);

  return connection;
};

const read = async (connection: Connection, uri = RESOURCE_URI) => connection.readResource(uri, AbortSignal.timeout(30_000));

describe("a connection", () => {
  it("announces a change once until the resource is read again", async () => {
    const server = await modernResourceServer();
    const updates: string[] = [];
    const connection = await open(server, (uri) => updates.push(uri));
    await read(connection);
    for (let sent = 0; sent < 100; sent += 1) server.announce();
    await expect.poll(() => updates).toEqual([RESOURCE_URI]);
    await read(connection);
    server.announce();
    await expect.poll(() => updates).toEqual([RESOURCE_URI, RESOURCE_URI]);
  });

  it("subscribes to so many resources, and forgets those that are not read for an hour", async () => {
    const connection = await open(await modernResourceServer());
    const isSubscribed = async (id: number) => {
      const answer = await read(connection, `${RESOURCE_URI}/${id}`);

      return answer.ok && answer.isSubscribed;
    };
    for (let id = 0; id < MOST_SUBSCRIPTIONS; id += 1) expect(await isSubscribed(id)).toBe(true);
    expect(await isSubscribed(MOST_SUBSCRIPTIONS)).toBe(false);
    expect(await isSubscribed(0)).toBe(true);
    offsetMs += HOUR_MS + 1;
    expect(await isSubscribed(MOST_SUBSCRIPTIONS)).toBe(true);
  });

  it("returns text without NUL, and a digest of other contents", async () => {
    const server = await modernResourceServer();
    const connection = await open(server);
    const contentOf = async (...contents: Parameters<ResourceServer["put"]>) => {
      server.put(...contents);
      const answer = await read(connection);

      return answer.ok ? answer.content : answer.fault;
    };
    expect(await contentOf("a\0b")).toEqual({ mime_type: "text/plain", text: "ab" });
    const faults = [await contentOf({ blob: "AAAA" }), await contentOf({ blob: "BBBB" }), await contentOf("x".repeat(100_001))];
    expect(faults).toMatchObject([{ fault: "unreadable" }, { fault: "unreadable" }, { fault: "too_large" }]);
    expect(new Set(faults.map((one) => JSON.stringify(one))).size).toBe(3);
  });
});

describe("announced changes", () => {
  it("are taken once, and only of resources that were read", () => {
    const changes = createResourceChanges();
    const place = { workspace: "w", server: "s", uri: RESOURCE_URI };
    changes.expect(place);
    changes.note(place);
    changes.note(place);
    changes.note({ ...place, workspace: "v" });
    changes.note({ ...place, uri: "orders://other" });
    expect(changes.take()).toEqual([place]);
    expect(changes.take()).toEqual([]);
  });
});
