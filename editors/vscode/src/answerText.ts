/** Formats a transcript for people: the lines of the response, then one line for each tool event. */

/** Formats a transcript in JSON; returns other text unchanged. */
export function answerText(transcript: string): string {
  try {
    const { response, telemetry } = JSON.parse(transcript) as { response?: unknown; telemetry?: unknown };
    if (typeof response !== 'string') {
      return transcript;
    }
    const events = Array.isArray(telemetry) ? telemetry.map((event) => JSON.stringify(event)) : [];
    return [response, ...(events.length === 0 ? [] : ['', '── telemetry ──', ...events]), ''].join('\n');
  } catch {
    return transcript;
  }
}
