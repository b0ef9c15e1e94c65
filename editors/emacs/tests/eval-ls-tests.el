;;; eval-ls-tests.el --- Sessions of eglot and lsp-mode with eval-ls -*- lexical-binding: t -*-

;;; Commentary:

;; `editors/emacs/tests/run' runs them in a real Emacs without a window.

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'eval-ls)
(require 'eglot)
(require 'flymake)

(defconst eval-ls-tests-suite
  "{ \"version\": \"0.2.0\", \"cases\": [
  { \"id\": \"A\", \"category\": \"c\", \"prompt\": \"p\", \"expected\": { \"outcome\": \"response_only\", \"must_sya_any\": [\"a\"] } }
] }
")

(defun eval-ls-tests-wait (what condition)
  "Wait until CONDITION returns non-nil, and return it; WHAT names it."
  (let ((end (+ (float-time) 30)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) end) (ert-fail (format "timed out waiting for %s" what)))
      (accept-process-output nil 0.05))
    value))

(defmacro eval-ls-tests-with-suite (&rest body)
  "Open a suite in a new workspace and run BODY in its buffer."
  `(let* ((folder (file-name-as-directory (make-temp-file "eval-ls" t)))
          (file (expand-file-name "evals/a.json" folder)))
     (make-directory (file-name-directory file))
     (make-directory (expand-file-name ".git" folder))
     (write-region eval-ls-tests-suite nil file nil 'quiet)
     (let ((buffer (find-file-noselect file)))
       (unwind-protect (with-current-buffer buffer ,@body)
         (with-current-buffer buffer (set-buffer-modified-p nil))
         (kill-buffer buffer)
         (delete-directory folder t)))))

(ert-deftest eval-ls-tests-eglot ()
  "Findings, a quick fix, a rename and the page of a lint in eglot."
  (eval-ls-tests-with-suite
   (should (eq major-mode 'eval-suite-mode))
   (apply #'eglot (eglot--guess-contact))
   (should (eglot-managed-p))
   (flymake-start)
   (let ((found (eval-ls-tests-wait "findings" #'flymake-diagnostics)))
     (should (cl-some (lambda (it) (string-match-p "must_sya_any" (flymake-diagnostic-text it))) found)))
   (goto-char (point-min))
   (search-forward "must_sya")
   (let* ((actions (eglot-code-actions (point) (point) "quickfix"))
          (titles (mapcar (lambda (action) (plist-get action :title)) actions)))
     (should (member "Explain `unknown-key`" titles))
     (should (string-match-p "must_say_any" (car titles)))
     (eglot-execute (eglot-current-server) (aref (vconcat actions) 0)))
   (should (save-excursion (goto-char (point-min)) (search-forward "\"must_say_any\"" nil t)))
   (goto-char (point-min))
   (search-forward "\"A")
   (eglot-rename "B")
   (should (save-excursion (goto-char (point-min)) (search-forward "\"id\": \"B\"" nil t)))
   (eglot-shutdown (eglot-current-server))))

(ert-deftest eval-ls-tests-eglot-configuration ()
  "A finding and a quick fix of eval-ls.toml in eglot."
  (eval-ls-tests-with-suite
   (write-region "[run]\njob = 2\n" nil (expand-file-name "eval-ls.toml" folder) nil 'quiet)
   (let ((config (find-file-noselect (expand-file-name "eval-ls.toml" folder))))
     (unwind-protect
         (with-current-buffer config
           (should (eq major-mode 'eval-ls-config-mode))
           (apply #'eglot (eglot--guess-contact))
           (flymake-start)
           (let ((found (eval-ls-tests-wait "a finding" #'flymake-diagnostics)))
             (should (string-match-p "did you mean `jobs`" (flymake-diagnostic-text (car found)))))
           (goto-char (point-min))
           (search-forward "jo")
           (let ((actions (eglot-code-actions (point) (point) "quickfix")))
             (eglot-execute (eglot-current-server) (aref (vconcat actions) 0)))
           (should (save-excursion (goto-char (point-min)) (search-forward "jobs = 2" nil t)))
           (eglot-shutdown (eglot-current-server)))
       (with-current-buffer config (set-buffer-modified-p nil))
       (kill-buffer config)))))

(when (require 'lsp-mode nil t)
  (require 'lsp-lens)
  (ert-deftest eval-ls-tests-lsp-mode ()
    "Findings, lenses and a rename in lsp-mode."
    (eval-ls-tests-with-suite
     (let ((lsp-auto-guess-root t) (lsp-session-file (make-temp-file "session")) (lsp-enable-suggest-server-download nil))
       (lsp)
       (eval-ls-tests-wait "the session" #'lsp-workspaces)
       (let ((found (eval-ls-tests-wait "findings" (lambda () (gethash (lsp--fix-path-casing file) (lsp-diagnostics t))))))
         (should (cl-some (lambda (it) (string-match-p "must_sya_any" (lsp-get it :message))) found)))
       (let ((lenses (lsp-request "textDocument/codeLens" `(:textDocument ,(lsp--text-document-identifier)))))
         (should (cl-some (lambda (lens) (string-match-p "Run" (lsp-get (lsp-get lens :command) :title))) lenses)))
       (should (lsp-feature? "textDocument/codeLens"))
       (let ((transcripts (expand-file-name "evals/transcripts/a/" folder)))
         (make-directory transcripts t)
         (write-region "{ \"format\": \"eval-ls/transcript@1\", \"case\": \"A\", \"response\": \"a\" }\n" nil
                       (expand-file-name "A.json" transcripts) nil 'quiet)
         (goto-char (point-min))
         (search-forward "\"A")
         (lsp-rename "B")
         (should (save-excursion (goto-char (point-min)) (search-forward "\"id\": \"B\"" nil t)))
         (should (equal (directory-files transcripts nil "\\`[A-Z].json") '("B.json")))
         (with-current-buffer (find-file-noselect (expand-file-name "B.json" transcripts))
           (should (save-excursion (goto-char (point-min)) (search-forward "\"case\": \"B\"" nil t)))
           (set-buffer-modified-p nil)
           (kill-buffer)))))))

(provide 'eval-ls-tests)
;;; eval-ls-tests.el ends here
