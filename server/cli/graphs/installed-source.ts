import { requestDigest } from "@/lib/engine/ledger/settings-digests";
import { listPlaces, listPromotions } from "@/lib/environments/places";
import { AppError } from "@/lib/errors";
import { uuidSchema } from "@/lib/ids";
import { compareGraph, findVersion } from "@/server/architect/comparing";
import { publishCase, requestPublish } from "@/server/architect/publishing";
import { saveDraft } from "@/server/architect/saving";
import { systemClock } from "@/server/clock";
import { CliFailure, type CliHost } from "@/server/cli/host";
import { awaitAnswer, demandSigner, useInstalledDatabase, workspaceNotFound } from "@/server/cli/installed";
import { awaitBelieved } from "@/server/cli/policy";
import { ENGINE, recordAdminStep } from "@/server/runner/admin-ledger";
import { requestSubject } from "@/server/runner/approved-step";
import { askAsOperator } from "@/server/runner/operator-promotion";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { listGraphsNamed } from "@/server/store/graphs/document-ids";
import { getGraph, listGraphs } from "@/server/store/graphs/graphs";
import { listNumbers } from "@/server/store/graphs/live";
import { listPublishRequests } from "@/server/store/graphs/publish-requests";
import { getNewestVersion } from "@/server/store/graphs/versions";
import { OPERATOR_ID } from "@/lib/operator";
import { reopenStore } from "@/server/store/runs/close";
import { listAllWorkspaces } from "@/server/store/workspaces/log";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { importGraph } from "@/server/web/import-graph";
import { SourceConflict, type Draft, type GraphSource } from "./source";

const explain = (error: unknown): never => {
  if (!(error instanceof AppError)) throw error;
  throw error.code === "conflict" ? new SourceConflict(error.message) : new CliFailure(error.message, error);
};

const chooseWorkspace = async (wanted: string | null): Promise<string> => {
  const all = await awaitAnswer(listAllWorkspaces());
  if (wanted !== null) {
    if (!uuidSchema.safeParse(wanted).success || !all.includes(wanted)) throw workspaceNotFound(wanted);

    return wanted;
  }
  const [only, ...others] = all;
  if (only === undefined || others.length > 0)
    throw new CliFailure(`this installation has ${all.length} workspaces: choose one with --workspace`);

  return only;
};

const readDraft = async (workspaceId: string, id: string): Promise<Draft> => {
  const draft = await getGraph(workspaceId, id);
  if (!draft) throw new AppError("not_found", { message: `graph ${id} not found` });
  const newest = await getNewestVersion(workspaceId, id);
  const { hash } = await publishCase(workspaceId, id, draft.revision);

  return { ...draft, hash, version: newest && { hash: newest.version, number: newest.number } };
};

/** The operator then can't be the second person. */
const ask = (host: CliHost, workspaceId: string, draft: Draft) => {
  const signing = { clock: systemClock, signer: demandSigner(host.home) };
  const step = { step: "requested", before: null, by: ENGINE, area: "versions" } as const;

  return requestPublish(workspaceId, { userId: OPERATOR_ID, tokenId: null }, draft, {
    record: async (request, client) => {
      const change = { ...step, subject: requestSubject(request.id), after: requestDigest(request) };
      await recordAdminStep(signing, workspaceId, change, client);
    },
  });
};

/** Only the runner sees all workspaces, and only the web stores drafts. */
const openWorkspace = async (host: CliHost, wanted: string | null, use: "read" | "save" | "ask"): Promise<string> => {
  useInstalledDatabase(host);
  const workspaceId = await chooseWorkspace(wanted);
  if (use !== "save") return workspaceId;
  const url = host.findDatabaseUrl("web");
  if (url === null) throw new CliFailure(`${host.home} has no database connection of the web process`);
  await reopenStore(url);

  return workspaceId;
};

export const openInstalledSource = async (host: CliHost, wanted: string | null, use: "read" | "save" | "ask"): Promise<GraphSource> => {
  const workspaceId = await openWorkspace(host, wanted, use);
  const authority = createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers });
  const readPlaces = async (id: string) => ({
    fold: (await awaitBelieved(authority.read(workspaceId))).environments,
    numbers: await listNumbers(workspaceId, id),
  });

  return {
    list: async (documentId) =>
      documentId === null ? (await listGraphs(workspaceId)).map(({ id }) => id) : listGraphsNamed(workspaceId, documentId),
    readDraft: (id) => readDraft(workspaceId, id).catch(explain),
    readVersion: async (id, number) => {
      const version = await findVersion(workspaceId, id, number).catch(explain);
      if (!version) throw new CliFailure(`graph ${id} has no version yet`);

      return { hash: version.hash, document: version.published.graph };
    },
    compare: (id, before, after) => compareGraph(workspaceId, id, { before, after }).catch(explain),
    create: async (document) => (await importGraph(workspaceId, OPERATOR_ID, document, { keepsId: true }).catch(explain)).id,
    save: (id, revision, document) => saveDraft(workspaceId, id, { revision, document, authorId: OPERATOR_ID }).catch(explain),
    listRequests: (id) => listPublishRequests(workspaceId, id),
    ask: (draft) => ask(host, workspaceId, draft).catch(explain),
    listPlaces: async (id) => {
      const { fold, numbers } = await readPlaces(id);

      return listPlaces(fold, numbers);
    },
    listPromotions: async (id) => {
      const { fold, numbers } = await readPlaces(id);

      return listPromotions(fold, numbers).map(({ version: hash, ...request }) => ({ ...request, hash }));
    },
    askToPromote: (_id, { environment, hash: version, base }) => {
      const signing = { clock: systemClock, signer: demandSigner(host.home) };

      return awaitBelieved(askAsOperator(signing, authority, workspaceId, { environment, version, base }).catch(explain));
    },
  };
};
