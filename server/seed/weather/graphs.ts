/** Two graphs that hang on the server that changed after its review. */
import type { GraphInput } from "@/lib/graph/document";

const CITIES = ["Oslo", "Leeds", "Brno"] as const;
const citySchema = { type: "string", title: "City", enum: [...CITIES] };
const toolResult = { type: "object", additionalProperties: true };
const inputs = { type: "object", properties: { city: citySchema }, required: ["city"], additionalProperties: false };

const MEMORY = [
  { key: "city", description: "The city that is asked about", schema: citySchema },
  { key: "forecast", description: "The forecast as the weather server returned it", schema: toolResult },
] satisfies GraphInput["memory"];

const FORECAST = {
  id: "forecast",
  kind: "tool",
  title: "Ask for the forecast",
  read_keys: ["city"],
  write_keys: ["forecast"],
  effect: "read",
  position: { x: 0, y: 60 },
  config: { server: "rug-pull", tool: "forecast", arguments: { city: { from: "city" } } },
} satisfies GraphInput["nodes"][number];

const CHOOSE = `export default ({ forecast }: { forecast: unknown }): "bicycle" | "van" =>
  /rain|snow|storm|ice/iu.test(JSON.stringify(forecast)) ? "van" : "bicycle";
`;

export const DELIVERY_GRAPH = {
  format: "countersign/graph/v1",
  id: "delivery-planning",
  name: "Delivery planning",
  description: "Asks for tomorrow's weather in a city, advises whether to deliver by bicycle, and waits an hour for the depot's answer.",
  inputs,
  memory: [
    ...MEMORY,
    { key: "vehicle", description: "What the weather allows", schema: { type: "string", enum: ["bicycle", "van"] } },
    { key: "advice", description: "The advice to the dispatcher", schema: { type: "string", maxLength: 1_000 } },
    { key: "depot", description: "Whether the depot follows it", schema: { type: "string", enum: ["follows", "declines", "silent"] } },
  ],
  nodes: [
    FORECAST,
    {
      id: "choose",
      kind: "code",
      title: "Choose the vehicle",
      read_keys: ["forecast"],
      write_keys: ["vehicle"],
      position: { x: 270, y: 60 },
      config: { source: CHOOSE },
    },
    {
      id: "advise",
      kind: "agent",
      title: "Advise the dispatcher",
      read_keys: ["city", "forecast", "vehicle"],
      write_keys: ["advice"],
      position: { x: 540, y: 60 },
      config: { agent_id: "dispatcher", instructions: "Advise in one sentence whether to deliver by bicycle tomorrow." },
    },
    {
      id: "hear",
      kind: "wait",
      title: "Hear from the depot",
      write_keys: ["depot"],
      position: { x: 810, y: 60 },
      config: { until: { type: "event", timeout_ms: 3_600_000 } },
    },
    {
      id: "note_silence",
      kind: "transform",
      title: "Note its silence",
      write_keys: ["depot"],
      position: { x: 810, y: 220 },
      config: { set: [{ path: "depot", value: '"silent"' }] },
    },
  ],
  edges: [
    { id: "known", source: "forecast", target: "choose" },
    { id: "chosen", source: "choose", target: "advise" },
    { id: "advised", source: "advise", target: "hear" },
    { id: "unanswered", source: "hear", target: "note_silence", kind: "timeout" },
  ],
  start_node: "forecast",
  end_nodes: ["hear", "note_silence"],
  max_iterations: 10,
  max_token_budget: 30_000,
  budget_usd: 1,
} satisfies GraphInput;

const noticeSchema = {
  type: "object",
  properties: {
    title: { type: "string", minLength: 1, maxLength: 200 },
    summary: { type: "string", maxLength: 500 },
    body: { type: "string", minLength: 1, maxLength: 2_000 },
  },
  required: ["title", "summary", "body"],
  additionalProperties: false,
};

export const NOTICE_GRAPH = {
  format: "countersign/graph/v1",
  id: "weather-notice",
  name: "Weather notice",
  description: "Writes a notice from the forecast and publishes it after an approval.",
  inputs,
  memory: [
    ...MEMORY,
    { key: "draft", description: "The notice as it is proposed", schema: noticeSchema },
    { key: "notice", description: "The notice as a person approved it", schema: noticeSchema, min_integrity: "reviewed" },
    { key: "publication", description: "Where it was published", schema: toolResult },
  ],
  nodes: [
    FORECAST,
    {
      id: "write",
      kind: "agent",
      title: "Write the notice",
      read_keys: ["city", "forecast"],
      write_keys: ["draft"],
      position: { x: 270, y: 60 },
      config: {
        agent_id: "herald",
        answer: "json",
        instructions: 'Answer with one JSON object: "title", "summary" and "body" of a short notice about the weather.',
      },
    },
    {
      id: "approve",
      kind: "approval",
      title: "Approve the notice",
      read_keys: ["draft", "forecast"],
      write_keys: ["notice"],
      position: { x: 540, y: 60 },
      config: {
        prompt: "Publish this notice?",
        review_keys: ["draft", "forecast"],
        for_node: "publish",
        promote: [{ from: "draft", to: "notice" }],
      },
    },
    {
      id: "publish",
      kind: "tool",
      title: "Publish the notice",
      read_keys: ["notice"],
      write_keys: ["publication"],
      effect: "irreversible",
      failure_policy: { attempts: 1 },
      position: { x: 810, y: 60 },
      config: {
        server: "library",
        tool: "publish",
        arguments: { title: { from: "notice.title" }, summary: { from: "notice.summary" }, body: { from: "notice.body" } },
      },
    },
  ],
  edges: [
    { id: "known", source: "forecast", target: "write" },
    { id: "written", source: "write", target: "approve" },
    { id: "approved", source: "approve", target: "publish" },
  ],
  start_node: "forecast",
  end_nodes: ["publish"],
  max_iterations: 12,
  max_token_budget: 40_000,
  budget_usd: 1,
} satisfies GraphInput;
