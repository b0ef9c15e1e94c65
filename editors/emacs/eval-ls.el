;;; eval-ls.el --- Eval suites, with eglot or lsp-mode -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; (add-to-list 'load-path "/path/to/eval-ls/editors/emacs")
;; (require 'eval-ls)
;; (add-hook 'eval-suite-mode-hook #'eglot-ensure)        ; or #'lsp-deferred
;; (add-hook 'eval-ls-config-mode-hook #'eglot-ensure)    ; the same for eval-ls.toml
;;
;; For suites with other names, extend `auto-mode-alist' or run `M-x eval-suite-mode'. The server decides which files are
;; suites, see `[files]' in eval-ls.toml.

;;; Code:

(require 'conf-mode)
(require 'js)

(define-derived-mode eval-suite-mode js-json-mode "Eval suite"
  "Major mode for eval suites: JSON that eval-ls looks after.")

(define-derived-mode eval-ls-config-mode conf-toml-mode "eval-ls configuration"
  "Major mode for eval-ls.toml.")

(add-to-list 'auto-mode-alist '("/eval-ls\\.toml\\'" . eval-ls-config-mode))

(dolist (pattern '("eval-set[^/]*\\.json\\'" "\\.evals\\.json\\'" "/evals/[^/]+\\.json\\'"))
  (add-to-list 'auto-mode-alist (cons pattern 'eval-suite-mode)))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '(((eval-suite-mode :language-id "json") (eval-ls-config-mode :language-id "toml")) . ("eval-ls" "lsp"))))

(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-activate-on "lsp-mode")
(defvar lsp-language-id-configuration)
(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(eval-suite-mode . "eval-suite"))
  (add-to-list 'lsp-language-id-configuration '(eval-ls-config-mode . "eval-ls-config"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection '("eval-ls" "lsp"))
                    :activation-fn (lsp-activate-on "eval-suite" "eval-ls-config")
                    :server-id 'eval-ls)))

(provide 'eval-ls)
;;; eval-ls.el ends here
