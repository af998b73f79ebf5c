import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { pinnedToolSchema, type PinnedTool } from "@/lib/graph/document";
import { triggerSchema, type Trigger } from "@/lib/graph/triggers/trigger";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { asAdmin, reviewAndActivate } from "@/server/mcp/testing/registered";
import { modernResourceServer, RESOURCE_URI, type ResourceServer } from "@/server/mcp/testing/resource-server";
import type { McpService } from "@/server/mcp/service";
import { listEvents, look, publishOrders, type TriggerWorld } from "@/server/runner/testing/triggers";
import { readResources } from "@/server/runner/triggers/resources";
import { addMcpServer } from "@/server/store/mcp/servers";
import { recordRows } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";

export type Clocked = { readonly world: TriggerWorld; readonly pass: (ms: number) => void };

type Options = {
  readonly server?: ResourceServer;
  readonly change?: object;
  readonly agents?: readonly string[];
  readonly pin?: string;
};

const pinEcho = (server: string, digest: string): PinnedTool =>
  pinnedToolSchema.parse({
    server,
    tool: "echo",
    definition_digest: digest,
    description: "",
    input_schema: { type: "object" },
    effect: "read",
    idempotent: true,
  });

const MINUTE_MS = 60_000;

export const openShelf = async ({ world, pass }: Clocked, { server, change = {}, agents = ["node"], pin }: Options = {}) => {
  const shop = server ?? (await modernResourceServer());
  const id = `shop_${randomUUID().slice(0, 8)}`;
  const egress = { allowOrigins: [shop.origin] };
  const { clock, vault, authority } = world.deps;
  const registry = createLocalMcp({ clock, egress, vault });
  await addMcpServer(world.workspace, { id, name: id, transport: { type: "http", url: `${shop.origin}/mcp` } }, egress);
  await registry.inspect(world.workspace, id);
  await reviewAndActivate(world.workspace, id, registry, agents);
  await recordRows(world.deps, world.workspace);
  await registry.close();
  const mcp = createLocalMcp({ clock, egress, vault, authority });
  onTestFinished(async () => {
    await asAdmin(world.urls.admin, "delete from graph_trigger", []);
    await mcp.close();
  });
  const trigger: Trigger = triggerSchema.parse({
    id: "shelf",
    kind: "mcp_resource",
    server: id,
    uri: RESOURCE_URI,
    inputs: { order: "event.text" },
    concurrency: "queue",
    ...change,
  });
  const published = await publishOrders(world, [trigger], { tools: pin === undefined ? [] : [pinEcho(id, pin)] });
  const { graphId } = published;
  const readNow = (by: McpService["resources"] = mcp.resources, signal = AbortSignal.timeout(MINUTE_MS)) =>
    readResources(world.deps, by, signal);
  /** A minute later. */
  const poll = async () => {
    pass(MINUTE_MS);
    const count = await readNow();
    await look(world);

    return count;
  };
  const row = async () => {
    const [found] = await queryOn<{
      fault: string | null;
      cursor: { at: { isSubscribed: boolean; failures: number } } | null;
      due_at: Date;
    }>(world.urls.admin, "select fault, cursor, due_at from graph_trigger where graph_id = $1", [graphId]);
    if (!found) throw new Error("no trigger");

    return found;
  };
  const say = async (...contents: Parameters<ResourceServer["put"]>) => {
    shop.put(...contents);
    await poll();
  };
  const summary = async () => (await listEvents(world, graphId)).map(({ status, code }) => code ?? status);
  await poll();

  return { ...published, server: shop, serverId: id, trigger, mcp, readNow, poll, say, row, summary };
};
