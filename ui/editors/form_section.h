#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace ui {

class ParameterField;

/// A titled group of fields that can be folded away; its title tells how many of them were changed.
class FormSection final : public QWidget {
    Q_OBJECT

public:
    explicit FormSection(const QString& title, QWidget* parent = nullptr);

    void addField(ParameterField* field);
    void setOpen(bool open);
    void showSummary(int changed, int problems);
    /// While filtering, a section with hits is open and one without is gone, whatever was folded before. Without words
    /// to find, fields that the experiment does not read are left out, unless they were changed.
    void applyFilter(const QString& words, bool onlyChanged);

private:
    void updateHeader();
    void updateIcon();

    QString m_title;
    QToolButton* m_header;
    QWidget* m_body;
    QVBoxLayout* m_fields;
    QList<ParameterField*> m_all;
    bool m_open = false;
    int m_changed = 0;
    int m_problems = 0;
};

}  // namespace ui
