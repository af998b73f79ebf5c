import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { apiError } from "./api-error";

/** Denials do not change by asking again; a fault or a lost connection may. */
const shouldRetry = (failures: number, error: unknown): boolean => {
  const code = apiError(error).code;

  return failures < 2 && (code === "internal" || code === "runner_silent" || code === "server_unreachable");
};

/** Whoever is signed out goes to the sign-in page, whichever call found out. */
export const goToSignIn = (error: unknown): void => {
  if (apiError(error).code === "unauthenticated") window.location.assign("/sign-in");
};

export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: goToSignIn }),
    mutationCache: new MutationCache({ onError: goToSignIn }),
    defaultOptions: { queries: { staleTime: 30_000, retry: shouldRetry }, mutations: { retry: false } },
  });
