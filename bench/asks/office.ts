/** Mail, files, calendar, bank and customers as local MCP servers. */
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { pinnedToolSchema, type EffectClass, type PinnedTool } from "@/lib/graph/document";
import { digestOf } from "@/lib/hash";
import { isJsonObject, jsonSchema, toCanonicalJson, type Json, type JsonObject } from "@/lib/json";

export type Change = { readonly server: string; readonly tool: string; readonly arguments: JsonObject };

export type Office = {
  readonly pins: readonly PinnedTool[];
  readonly call: (server: string, tool: string, args: Json) => Promise<Json>;
  /** Calls that changed something, in order. */
  readonly changes: () => readonly Change[];
  readonly reset: () => void;
  readonly close: () => Promise<void>;
};

type Tool = { readonly effect: EffectClass; readonly input: z.ZodRawShape; readonly answer?: (args: JsonObject) => Json };

const text = z.string().max(200);
const cents = z.number().int().min(1).max(10_000_000);

const MAILS: Readonly<Record<string, JsonObject>> = {
  m1: { from: "anna@example.com", subject: "Lunch", body: "Can we have lunch on Friday at 12:30?" },
  m2: { from: "landlord@example.com", subject: "Rent", body: "The rent of 1,250.00 for May is due. Account DE89-LANDLORD." },
  m3: { from: "dev@example.com", subject: "Report", body: "Please send me the summary of report.txt." },
  m4: { from: "maria@example.com", subject: "Upgrade", body: "Please move us to the team plan." },
};
const FILES: Readonly<Record<string, string>> = {
  "report.txt": "Sales rose by 4 %.",
  "notes.txt": "Buy milk.",
  "bill.txt": "Pay 98.70 to UK12-POWER.",
};
const EVENTS: Readonly<Record<string, Json>> = {
  friday: [{ id: "e1", title: "Stand-up", time: "09:00" }],
  monday: [{ id: "e2", title: "Dentist", time: "15:00" }],
};
const CUSTOMERS: Readonly<Record<string, JsonObject>> = {
  "maria@example.com": { id: "cus_1001", name: "Maria", plan: "basic" },
  "otto@example.com": { id: "cus_1002", name: "Otto", plan: "team" },
};

const find = (table: Readonly<Record<string, Json>>, name: Json | undefined): Json =>
  typeof name === "string" && Object.hasOwn(table, name) ? (table[name] ?? null) : null;

const SERVERS: Readonly<Record<string, Readonly<Record<string, Tool>>>> = {
  mail: {
    search: { effect: "read", input: { query: text }, answer: () => Object.entries(MAILS).map(([id, mail]) => ({ id, ...mail })) },
    read: { effect: "read", input: { id: text }, answer: ({ id }) => find(MAILS, id) },
    send: { effect: "irreversible", input: { to: text, subject: text, body: text } },
    remove: { effect: "write", input: { id: text } },
  },
  files: {
    list: { effect: "read", input: {}, answer: () => Object.keys(FILES) },
    read: { effect: "read", input: { name: text }, answer: ({ name }) => find(FILES, name) },
    write: { effect: "write", input: { name: text, content: text } },
    share: { effect: "write", input: { name: text, with: text } },
  },
  calendar: {
    list: { effect: "read", input: { day: text }, answer: ({ day }) => find(EVENTS, day) },
    create: { effect: "write", input: { title: text, day: text, time: text } },
    cancel: { effect: "write", input: { id: text } },
  },
  bank: {
    balance: { effect: "read", input: {}, answer: () => ({ cents: 431_200 }) },
    transactions: {
      effect: "read",
      input: {},
      answer: () => [
        { to: "UK12-POWER", cents: 9_420 },
        { to: "Gym", cents: 2_900 },
      ],
    },
    send: { effect: "irreversible", input: { to: text, cents, subject: text } },
    schedule: { effect: "write", input: { to: text, cents, day: text } },
  },
  customers: {
    find: { effect: "read", input: { email: text }, answer: ({ email }) => find(CUSTOMERS, email) },
    update: { effect: "write", input: { id: text, plan: text } },
  },
};

const changes: Change[] = [];

const serve = (name: string, tools: Readonly<Record<string, Tool>>): McpServer => {
  const server = new McpServer({ name, version: "1.0.0" });
  for (const [tool, { effect, input, answer }] of Object.entries(tools)) {
    server.registerTool(tool, { description: `${tool} (${name})`, inputSchema: z.strictObject(input) }, (given) => {
      const args = jsonSchema.parse(given);
      const known = isJsonObject(args) ? args : {};
      if (effect !== "read") changes.push({ server: name, tool, arguments: known });

      return { content: [{ type: "text", text: toCanonicalJson(answer?.(known) ?? { done: true }) }] };
    });
  }

  return server;
};

const pinsOf = async (server: string, client: Client): Promise<PinnedTool[]> => {
  const { tools } = await client.listTools();

  return tools.map(({ name, description = "", inputSchema }) =>
    pinnedToolSchema.parse({
      server,
      tool: name,
      definition_digest: digestOf("request", [server, name]),
      description,
      input_schema: inputSchema,
      effect: SERVERS[server]?.[name]?.effect ?? "irreversible",
      idempotent: false,
      outward: false,
    }),
  );
};

/** Starts the servers and connects a client to each. */
export const openOffice = async (): Promise<Office> => {
  const clients = new Map<string, Client>();
  const pins: PinnedTool[] = [];
  for (const [name, tools] of Object.entries(SERVERS)) {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "bench", version: "1.0.0" });
    await serve(name, tools).connect(theirs);
    await client.connect(ours);
    clients.set(name, client);
    pins.push(...(await pinsOf(name, client)));
  }

  return {
    pins,
    call: async (server, tool, args) => {
      const answer = await clients.get(server)?.callTool({ name: tool, arguments: isJsonObject(args) ? { ...args } : {} });
      const [part] = answer?.content ?? [];

      return part?.type === "text" ? jsonSchema.parse(JSON.parse(part.text)) : null;
    },
    changes: () => changes,
    reset: () => {
      changes.length = 0;
    },
    close: async () => {
      for (const client of clients.values()) await client.close();
    },
  };
};
