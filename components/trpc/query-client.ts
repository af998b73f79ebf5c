import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ownPath } from "@/lib/own-path";
import { toApiError } from "./api-error";
import { tab } from "./tab";

/** Faults and lost connections, not denials. */
const shouldRetry = (failures: number, error: unknown): boolean => {
  const code = toApiError(error).code;

  return failures < 2 && (code === "internal" || code === "runner_silent" || code === "server_unreachable");
};

/** Redirects people whose session ended, and says so there; signing in leads back. */
export const goToSignIn = (error: unknown): void => {
  const { code } = toApiError(error);
  if (code === "workspace_changed") tab.markStale();
  if (code !== "unauthenticated" || tab.isLeaving()) return;
  window.location.assign(`/sign-in?ended=true&to=${encodeURIComponent(ownPath(window.location.pathname))}`);
};

export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: goToSignIn }),
    mutationCache: new MutationCache({ onError: goToSignIn }),
    defaultOptions: { queries: { staleTime: 30_000, retry: shouldRetry }, mutations: { retry: false } },
  });
