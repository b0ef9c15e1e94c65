/** What answers requests: the program, or the analysis in a browser. */
export interface Requests {
  request<R>(method: string, params: object): Promise<R>;
}
