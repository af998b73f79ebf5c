import type { TRPCLink } from "@trpc/client";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import { toApiError } from "@/components/trpc/api-error";
import type { AppRouter } from "@/server/trpc/root";
import { stepUpQuestion } from "@/components/account/step-up-question";

/** Confirms identity when required, then repeats the call; cancelling fails with `step_up_required`. */
export const getStepUpLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let running: Unsubscribable | null = null;
      let isOver = false;
      const send = (mayAsk: boolean) => {
        running = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            if (mayAsk && toApiError(error).code === "step_up_required") void askAndRepeat(error);
            else observer.error(error);
          },
        });
      };
      const askAndRepeat = async (error: Parameters<typeof observer.error>[0]) => {
        const isProven = await stepUpQuestion.ask();
        if (isOver) return;
        if (isProven) send(false);
        else observer.error(error);
      };
      send(true);

      return () => {
        isOver = true;
        running?.unsubscribe();
      };
    });
