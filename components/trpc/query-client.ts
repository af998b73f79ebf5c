import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { toApiError } from "./api-error";

/** Retries faults and lost connections, but not denials. */
const shouldRetry = (failures: number, error: unknown): boolean => {
  const code = toApiError(error).code;

  return failures < 2 && (code === "internal" || code === "runner_silent" || code === "server_unreachable");
};

/** Redirects to the sign-in page when a call finds the user signed out. */
export const goToSignIn = (error: unknown): void => {
  if (toApiError(error).code === "unauthenticated") window.location.assign("/sign-in");
};

export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: goToSignIn }),
    mutationCache: new MutationCache({ onError: goToSignIn }),
    defaultOptions: { queries: { staleTime: 30_000, retry: shouldRetry }, mutations: { retry: false } },
  });
