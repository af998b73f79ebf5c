import {
  computeBrowserDigest,
  computeBrowserId,
  decideBrowser,
  getBrowserSubject,
  type Browser,
  type BrowserCommand,
} from "@/lib/notifications/browser";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import type { Principal } from "@/lib/engine/principal";
import type { Recipient } from "@/server/notify/channel";
import { getWebhookPolicy } from "@/server/notify/policy";
import { isPublicPoint } from "@/server/notify/push/encrypt";
import { createAdminStepSigner, ENGINE } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { checkUrl } from "@/server/security/egress-url";
import { deleteBrowser, putBrowser, readBrowsers, type BrowserRow } from "@/server/store/notifications/browsers";
import { appendDecided, appendOwnRecords } from "@/server/store/runs/attempts";

const AREA = "accounts";

const canReach = ({ endpoint, p256dh }: Browser): boolean => checkUrl(endpoint, getWebhookPolicy()).ok && isPublicPoint(p256dh);

/** @param author as of opening the command */
export const carryOutBrowser = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  asked: BrowserCommand,
): Promise<void> => {
  const { workspaceId, id: commandId } = command;
  await appendDecided(workspaceId, commandId, async (tx) => {
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : author;
    const userId = by.type === "user" ? by.id : commandId;
    const isNew = asked.kind === "browser_add";
    const id = isNew ? computeBrowserId(asked.endpoint) : asked.id;
    const before = digestInForce(await deps.authority.read(workspaceId), AREA, getBrowserSubject(userId, id));
    const { length: count } = await readBrowsers({ workspaceId, userId });
    const standing = { before, count, mayReach: isNew && canReach(asked) };
    const decided = isPrincipal(identified) ? decideBrowser(by, asked, standing) : "principal_not_allowed";
    const isRefused = typeof decided === "string";
    const change = isRefused ? { before: null, after: null, refused: decided } : { before, after: decided.after };
    const step = { area: AREA, subject: getBrowserSubject(userId, id), step: isNew ? "browser_added" : "browser_removed", by } as const;

    return {
      sign: createAdminStepSigner(deps, workspaceId, { ...step, commandId, ...change }),
      project: async () => {
        if (isRefused) return;
        if (isNew) await putBrowser(tx, { workspaceId, userId }, { id, ...asked });
        else await deleteBrowser(tx, { workspaceId, userId }, id);
      },
    };
  });
  deps.notify(command.runId);
};

type Owner = Pick<Recipient, "workspaceId" | "userId">;

const confirmBrowser = (authority: RunnerDeps["authority"], { workspaceId, userId }: Owner, id: string): Promise<BrowserRow | null> =>
  authority.confirm(
    workspaceId,
    AREA,
    getBrowserSubject(userId, id),
    async () => (await readBrowsers({ workspaceId, userId })).find((row) => row.id === id) ?? null,
    (row) => row && computeBrowserDigest(row),
  );

export const listConfirmedBrowsers = async ({ authority }: Pick<RunnerDeps, "authority">, owner: Owner): Promise<readonly BrowserRow[]> => {
  const confirmed: BrowserRow[] = [];
  for (const { id } of await readBrowsers(owner)) {
    const row = await unlessUnproved(confirmBrowser(authority, owner, id));
    if (row !== null && typeof row !== "string") confirmed.push(row);
  }

  return confirmed;
};

export const forgetBrowser = (
  deps: Pick<RunnerDeps, "clock" | "signer">,
  { workspaceId, userId }: Owner,
  browser: BrowserRow,
): Promise<void> =>
  appendOwnRecords(workspaceId, async (tx) => {
    if (!(await deleteBrowser(tx, { workspaceId, userId }, browser.id))) return [];
    const subject = getBrowserSubject(userId, browser.id);
    const step = { area: AREA, subject, step: "browser_gone", by: ENGINE } as const;

    return [createAdminStepSigner(deps, workspaceId, { ...step, before: computeBrowserDigest(browser), after: null })];
  });
