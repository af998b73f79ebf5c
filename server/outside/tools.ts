/** All tools, independent of graph, state and rights. */
import type { OutsideTool } from "./tool";
import { ARCHITECT_DRAFT, ARCHITECT_PUBLISH, ARCHITECT_VALIDATE } from "./tools/architect";
import { HISTORY, NEXT, STATE, VERIFY } from "./tools/read";
import { LIST_RESOURCES, READ_RESOURCE } from "./tools/resources";
import { FORK_AT, FORK_FROM_PAST, RESET_SESSION } from "./tools/session";
import { REQUEST_APPROVAL, STEP } from "./tools/step";

export const TOOLS: readonly OutsideTool[] = [
  STEP,
  STATE,
  HISTORY,
  NEXT,
  VERIFY,
  FORK_AT,
  FORK_FROM_PAST,
  RESET_SESSION,
  REQUEST_APPROVAL,
  LIST_RESOURCES,
  READ_RESOURCE,
  ARCHITECT_DRAFT,
  ARCHITECT_VALIDATE,
  ARCHITECT_PUBLISH,
];
