/** Demo server that asks about larger amounts. Stateless: answers return the question. */
import { inputRequired, inputResponse, McpServer, type InputRequiredResult } from "@modelcontextprotocol/server";
import { answer, answerOf, CHANGES, keyIn, READS } from "@/server/mcp/bundled/serve";
import { openState } from "@/server/mcp/bundled/state";
import { digestOf } from "@/lib/hash";
import { err } from "@/lib/result";
import { z } from "zod";
import {
  bookingSchema,
  EXPENSES_FAULTS,
  expenseSchema,
  expensesSchema,
  file,
  needsBooking,
  NEW_EXPENSES,
  type Booking,
  type Expense,
} from "./data";

const QUESTION = "booking";

/** Detects answers to another call. */
const stateOf = (expense: Expense): string => digestOf("request", expense);

const question = (expense: Expense): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [QUESTION]: inputRequired.elicit({
        message: `Where does this belong: ${expense.what}, ${(expense.amount_cents / 100).toFixed(2)} USD?`,
        requestedSchema: bookingSchema,
      }),
    },
    requestState: stateOf(expense),
  });

type Context = { readonly mcpReq: { readonly inputResponses?: Record<string, unknown>; requestState(): unknown } };

/** Null: not asked yet. */
const toldIn = ({ mcpReq }: Context): Booking | "declined" | null => {
  const response = inputResponse(mcpReq.inputResponses, QUESTION);
  if (response.kind === "missing") return null;
  const booking = response.kind === "elicit" && response.action === "accept" ? bookingSchema.safeParse(response.content) : null;

  return booking?.success ? booking.data : "declined";
};

export const createExpensesServer = (folder: string): McpServer => {
  const server = new McpServer({ name: "expenses", version: "1.0.0" });
  const state = openState(folder, expensesSchema, NEW_EXPENSES);

  server.registerTool(
    "file_expense",
    {
      title: "File an expense",
      description: "Files an expense. Of a larger one, a person is asked where it belongs.",
      inputSchema: expenseSchema,
      annotations: CHANGES,
    },
    async (expense, context) => {
      const told = needsBooking(expense) ? toldIn(context) : null;
      if (told === null && needsBooking(expense)) return question(expense);
      if (told !== null && context.mcpReq.requestState() !== stateOf(expense)) return answerOf(err("state_unknown"), EXPENSES_FAULTS);
      if (told === "declined") return answerOf(err("declined"), EXPENSES_FAULTS);
      const change = { tool: "file_expense", arguments: { ...expense, ...told }, key: keyIn(context) };

      return answerOf(await state.once<never>(change, (expenses, id) => file(expenses, id, expense, told)), EXPENSES_FAULTS);
    },
  );
  server.registerTool(
    "list_expenses",
    { title: "List the expenses", description: "Every expense that was filed.", inputSchema: z.strictObject({}), annotations: READS },
    async () => answer({ expenses: Object.values((await state.read()).filed) }),
  );

  return server;
};
