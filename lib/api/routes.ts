/** Operations of the HTTP API, described in `contract.ts`. No imports: the client stays small. */
export const ROUTES = {
  listGraphs: "GET /graphs",
  importGraph: "POST /graphs",
  validateGraph: "POST /graphs/validate",
  getGraph: "GET /graphs/{graphId}",
  getVersion: "GET /graphs/{graphId}/version",
  compareGraph: "POST /graphs/{graphId}/comparison",
  saveDraft: "POST /graphs/{graphId}/revisions",
  listPublicationRequests: "GET /graphs/{graphId}/publication-requests",
  requestPublication: "POST /graphs/{graphId}/publication-requests",
  listRuns: "GET /runs",
  startRun: "POST /runs",
  getRun: "GET /runs/{runId}",
  getRunState: "GET /runs/{runId}/state",
  followRun: "GET /runs/{runId}/events",
  exportRun: "GET /runs/{runId}/export",
  verifyRun: "GET /runs/{runId}/verification",
  cancelRun: "POST /runs/{runId}/cancel",
  forkRun: "POST /runs/{runId}/forks",
  takeWaitToken: "POST /runs/{runId}/wait/token",
  answerWait: "POST /runs/{runId}/wait/answer",
  listApprovals: "GET /approvals",
  getApproval: "GET /approvals/{approvalId}",
  commentOnApproval: "POST /approvals/{approvalId}/comments",
  decideApproval: "POST /approvals/{approvalId}/decision",
  rejectApproval: "POST /approvals/{approvalId}/rejection",
  listServers: "GET /servers",
  listPeople: "GET /people",
  getUsage: "GET /usage",
} as const satisfies Record<string, `${"GET" | "POST"} /${string}`>;
export type Operation = keyof typeof ROUTES;

export const API_PATH = "/api/v1";
