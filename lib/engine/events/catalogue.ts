/** Run events, one entry each. Values are cells, not part of events. */
import { z } from "zod";
import type { EventOf, EventType, RunEvent } from "@/lib/engine/event";
import { APPROVER_EVENTS } from "@/lib/engine/events/approvers";
import { BUDGET_EVENTS } from "@/lib/engine/events/budget";
import { CASE_EVENTS } from "@/lib/engine/events/cases";
import { CELL_EVENTS } from "@/lib/engine/events/cells";
import { DIRECTORY_EVENTS } from "@/lib/engine/events/directory";
import { EFFECT_EVENTS } from "@/lib/engine/events/effects";
import type { EventParts } from "@/lib/engine/events/event-entry";
import { ENVIRONMENT_EVENTS } from "@/lib/engine/events/environments";
import { FRAME_EVENTS } from "@/lib/engine/events/frames";
import { GATE_EVENTS } from "@/lib/engine/events/gates";
import { NODE_EVENTS } from "@/lib/engine/events/nodes";
import { OUTSIDE_EVENTS } from "@/lib/engine/events/outside";
import { RUN_EVENTS } from "@/lib/engine/events/run";
import { WAIT_EVENTS } from "@/lib/engine/events/waits";
import { WORKSPACE_EVENTS } from "@/lib/engine/events/workspace";

export const EVENTS = Object.freeze({
  ...RUN_EVENTS,
  ...NODE_EVENTS,
  ...FRAME_EVENTS,
  ...BUDGET_EVENTS,
  ...EFFECT_EVENTS,
  ...GATE_EVENTS,
  ...CASE_EVENTS,
  ...CELL_EVENTS,
  ...OUTSIDE_EVENTS,
  ...WAIT_EVENTS,
  ...WORKSPACE_EVENTS,
  ...APPROVER_EVENTS,
  ...ENVIRONMENT_EVENTS,
  ...DIRECTORY_EVENTS,
});

const PARTS: { readonly [T in EventType]: EventParts<EventOf<T>> } = EVENTS;

export const entryOf = ({ type }: RunEvent): EventParts<RunEvent> => PARTS[type];

const schemas = Object.values(EVENTS).map(({ schema }) => schema);

export const eventSchema = z.discriminatedUnion("type", schemas as [(typeof schemas)[number]]);
