import { act } from "./actions.js";
import { confirmDialog } from "./dialogs.js";
import { texts } from "./texts.js";

/**
 * Carries out a call that stores a person's words. Where they look like a credential it asks, and stores them on a clear yes
 * alone; else it rejects with the refusal, as for any other fault.
 */
export async function store(name, body) {
  try {
    return await act(name, body);
  } catch (error) {
    if (error.code !== "ERR_MEMORY_SECRET") throw error;
    const answer = await confirmDialog({
      title: texts.secretTitle,
      lines: [texts.secretQuestion],
      confirm: texts.secretConfirm,
    });
    if (answer === undefined) throw error;
    return act(name, { ...body, allowSecret: true });
  }
}
