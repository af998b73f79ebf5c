/** List new procedures in access-table.ts too. */
import { createCallerFactory, router } from "./init";
import { agentsRouter } from "./routers/agents/router";
import { alarmsRouter } from "./routers/alarms/router";
import { approvalsRouter } from "./routers/approvals/router";
import { approversRouter } from "./routers/approvers/router";
import { environmentsRouter } from "./routers/environments/router";
import { directoryRouter } from "./routers/directory/router";
import { checksRouter } from "./routers/checks/router";
import { commentsRouter } from "./routers/comments/router";
import { connectRouter } from "./routers/connect/router";
import { architectRouter } from "./routers/architect/router";
import { factsRouter } from "./routers/facts/router";
import { graphsRouter } from "./routers/graphs/router";
import { homeRouter } from "./routers/home/router";
import { ledgerRouter } from "./routers/ledger/router";
import { modelsRouter } from "./routers/models/router";
import { mcpRouter } from "./routers/mcp/router";
import { joinRouter } from "./routers/join/router";
import { notificationsRouter } from "./routers/notifications/router";
import { passkeysRouter } from "./routers/passkeys/router";
import { policyRouter } from "./routers/policy/router";
import { reasonsRouter } from "./routers/reasons/router";
import { viewsRouter } from "./routers/views/router";
import { usageRouter } from "./routers/usage/router";
import { remindersRouter } from "./routers/reminders/router";
import { workRouter } from "./routers/stop-work/router";
import { peopleRouter } from "./routers/people/router";
import { permissionsRouter } from "./routers/permissions/router";
import { replyRouter } from "./routers/reply/router";
import { runsRouter } from "./routers/runs/router";
import { searchRouter } from "./routers/search/router";
import { secretsRouter } from "./routers/secrets/router";
import { sessionRouter } from "./routers/session/router";
import { setupRouter } from "./routers/setup/router";
import { triggersRouter } from "./routers/triggers/router";
import { trustRouter } from "./routers/trust/router";
import { webhooksRouter } from "./routers/webhooks/router";

export const appRouter = router({
  agents: agentsRouter,
  alarms: alarmsRouter,
  approvals: approvalsRouter,
  approvers: approversRouter,
  environments: environmentsRouter,
  directory: directoryRouter,
  checks: checksRouter,
  comments: commentsRouter,
  connect: connectRouter,
  architect: architectRouter,
  facts: factsRouter,
  graphs: graphsRouter,
  home: homeRouter,
  join: joinRouter,
  ledger: ledgerRouter,
  models: modelsRouter,
  mcp: mcpRouter,
  notifications: notificationsRouter,
  passkeys: passkeysRouter,
  policy: policyRouter,
  reasons: reasonsRouter,
  reminders: remindersRouter,
  usage: usageRouter,
  views: viewsRouter,
  work: workRouter,
  people: peopleRouter,
  permissions: permissionsRouter,
  reply: replyRouter,
  runs: runsRouter,
  search: searchRouter,
  secrets: secretsRouter,
  session: sessionRouter,
  setup: setupRouter,
  triggers: triggersRouter,
  trust: trustRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures without HTTP, with the same checks. */
export const createCaller = createCallerFactory(appRouter);
