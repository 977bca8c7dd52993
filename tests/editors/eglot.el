;; Drives Eglot as keys do: `emacs --batch -q -l RECIPE -l eglot.el`. What is seen goes into the file EDITAHEAD_SEEN as JSON.
(require 'eglot)
(require 'json)
(setq eglot-connect-timeout 300 eglot-sync-connect t eglot-events-buffer-size 10000000 make-backup-files nil)

(defvar seen nil)
(defun see (name value) (push (cons name value) seen))
(defun text () (buffer-substring-no-properties (point-min) (point-max)))
(defun wait-until (what look)
  (let ((end (+ (float-time) 300)) found)
    (while (not (setq found (funcall look)))
      (when (> (float-time) end) (error "waited for %s" what))
      (accept-process-output nil 0.05))
    found))
(defun events ()
  (save-window-excursion
    (eglot-events-buffer (eglot-current-server))
    (with-current-buffer (seq-find (lambda (each) (string-match-p "\\*EGLOT.*events" (buffer-name each))) (buffer-list))
      (text))))
(defun open (file)
  (find-file file)
  (run-hooks 'post-command-hook) ; where `eglot-ensure' waits
  (wait-until "the server" #'eglot-managed-p)
  (wait-until "models and index" (lambda () (string-match-p "editahead/ready" (events)))))

;; A completion by its key, behind characters of two UTF-16 units, in a file with CRLF.
(open (getenv "EDITAHEAD_FILE"))
(see "coding" (symbol-name buffer-file-coding-system))
(goto-char (point-max))
(execute-kbd-macro (kbd "r e s u l t SPC = SPC l e n ( \" 🎉 🎉 \" ) SPC + SPC q u a n"))
(execute-kbd-macro (kbd "C-M-i"))
(see "completed" (buffer-substring-no-properties (line-beginning-position) (point)))
(execute-kbd-macro (kbd "RET"))

;; A rename at one place, and the code action for all others.
(goto-char (point-min))
(search-forward "def total")
(execute-kbd-macro (kbd "M-DEL a m o u n t"))
(let ((actions (wait-until "the code action" (lambda () (eglot-code-actions (point) (point))))))
  (see "actions" (vconcat (mapcar (lambda (action) (plist-get action :title)) actions))))
(execute-kbd-macro (kbd "M-x e g l o t - c o d e - a c t i o n s RET RET y")) ; the first one, also in a file that is not open
(save-some-buffers t)
(see "events" (events))
(eglot-shutdown (eglot-current-server))
(with-temp-file (getenv "EDITAHEAD_SEEN") (insert (json-encode seen)))
